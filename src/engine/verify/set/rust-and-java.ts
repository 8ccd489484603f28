// Stories in Rust and in Java.
import type { Story } from './story.ts'

const parse: Story = {
  name: 'durations are read',
  language: 'Rust',
  criteria: [
    '`seconds("5m")` is 300, with s, m and h as units.',
    'Text that is no duration, or too long to count, is `None`.',
  ],
  files: {
    'src/duration.rs': `/// "5m" is 300.
pub fn seconds(text: &str) -> Option<u32> {
    let _ = text;
    None
}
`,
  },
  good: [
    [
      'src/duration.rs',
      '    let _ = text;\n    None\n',
      "    let unit = text.chars().last()?;\n    let each = match unit {\n        's' => 1,\n        'm' => 60,\n        'h' => 3600,\n        _ => return None,\n    };\n    let count: u32 = text.strip_suffix(unit)?.parse().ok()?;\n    count.checked_mul(each)\n",
    ],
  ],
  wrong: [
    {
      name: 'a long one overflows',
      kind: 'subtly_wrong',
      edits: [
        [
          'src/duration.rs',
          '    let _ = text;\n    None\n',
          "    let unit = text.chars().last()?;\n    let each = match unit {\n        's' => 1,\n        'm' => 60,\n        'h' => 3600,\n        _ => return None,\n    };\n    let count: u32 = text.strip_suffix(unit)?.parse().ok()?;\n    Some(count * each)\n",
        ],
      ],
      defect: '    Some(count * each)',
      shownBy: '    Some(count * each)',
    },
    {
      name: 'text of one byte, or none, or of other signs, panics',
      kind: 'subtly_wrong',
      edits: [
        [
          'src/duration.rs',
          '    let _ = text;\n    None\n',
          '    let (number, unit) = text.split_at(text.len() - 1);\n    let each = match unit {\n        "s" => 1,\n        "m" => 60,\n        "h" => 3600,\n        _ => return None,\n    };\n    number.parse::<u32>().ok()?.checked_mul(each)\n',
        ],
      ],
      defect: '    let (number, unit) = text.split_at(text.len() - 1);',
      shownBy: '    let (number, unit) = text.split_at(text.len() - 1);',
    },
  ],
}

const queue: Story = {
  name: 'a queue with a limit',
  language: 'Rust',
  criteria: ['`push` refuses when the queue is full.', 'Existing callers keep compiling and see what was refused.'],
  files: {
    'src/queue.rs': `use std::collections::VecDeque;

pub const MAX: usize = 100;

pub struct Queue<T> {
    items: VecDeque<T>,
}

impl<T> Queue<T> {
    /// Gives back what did not fit.
    pub fn push(&mut self, item: T) -> Result<(), T> {
        self.items.push_back(item);
        Ok(())
    }
}
`,
    'src/worker.rs': `use crate::queue::Queue;

pub fn hand_over(queue: &mut Queue<String>, job: String) {
    if let Err(job) = queue.push(job) {
        eprintln!("no room for {job}");
    }
}
`,
  },
  good: [
    [
      'src/queue.rs',
      '        self.items.push_back(item);\n        Ok(())\n',
      '        if self.items.len() >= MAX {\n            return Err(item);\n        }\n        self.items.push_back(item);\n        Ok(())\n',
    ],
  ],
  wrong: [
    {
      name: 'one more than the limit fits',
      kind: 'subtly_wrong',
      edits: [
        [
          'src/queue.rs',
          '        self.items.push_back(item);\n        Ok(())\n',
          '        if self.items.len() > MAX {\n            return Err(item);\n        }\n        self.items.push_back(item);\n        Ok(())\n',
        ],
      ],
      defect: '        if self.items.len() > MAX {',
      shownBy: '        if self.items.len() > MAX {',
    },
    {
      name: 'a caller looks for an error where there is a yes or no now',
      kind: 'contract',
      edits: [
        [
          'src/queue.rs',
          'pub fn push(&mut self, item: T) -> Result<(), T> {\n        self.items.push_back(item);\n        Ok(())\n',
          'pub fn push(&mut self, item: T) -> bool {\n        if self.items.len() >= MAX {\n            return false;\n        }\n        self.items.push_back(item);\n        true\n',
        ],
      ],
      defect: '    pub fn push(&mut self, item: T) -> bool {',
      shownBy: '    if let Err(job) = queue.push(job) {',
    },
  ],
}

const orders: Story = {
  name: 'orders are equal by number',
  language: 'Java',
  criteria: ['Two orders of one number are equal.', 'Orders can be keys of a map.'],
  files: {
    'src/shop/Order.java': `package shop;

import java.util.Objects;

public final class Order {
    private final String number;
    private String state = "new";

    public Order(String number) {
        this.number = Objects.requireNonNull(number);
    }

    public void state(String next) {
        state = next;
    }
}
`,
    'src/shop/Board.java': `package shop;

import java.util.HashMap;
import java.util.Map;

public final class Board {
    private final Map<Order, String> notes = new HashMap<>();

    public void done(Order order) {
        notes.put(order, "done");
        order.state("done");
    }

    public String noteOf(Order order) {
        return notes.get(order);
    }
}
`,
  },
  good: [
    [
      'src/shop/Order.java',
      '        state = next;\n    }\n',
      '        state = next;\n    }\n\n    @Override\n    public boolean equals(Object other) {\n        return other instanceof Order order && order.number.equals(number);\n    }\n\n    @Override\n    public int hashCode() {\n        return number.hashCode();\n    }\n',
    ],
  ],
  wrong: [
    {
      name: 'equal orders have other hashes',
      kind: 'subtly_wrong',
      edits: [
        [
          'src/shop/Order.java',
          '        state = next;\n    }\n',
          '        state = next;\n    }\n\n    @Override\n    public boolean equals(Object other) {\n        return other instanceof Order order && order.number.equals(number);\n    }\n',
        ],
      ],
      defect: '        return other instanceof Order order && order.number.equals(number);',
      shownBy: '        return other instanceof Order order && order.number.equals(number);',
    },
    {
      name: 'the hash changes while the order is a key',
      kind: 'contract',
      edits: [
        [
          'src/shop/Order.java',
          '        state = next;\n    }\n',
          '        state = next;\n    }\n\n    @Override\n    public boolean equals(Object other) {\n        return other instanceof Order order && order.number.equals(number);\n    }\n\n    @Override\n    public int hashCode() {\n        return Objects.hash(number, state);\n    }\n',
        ],
      ],
      defect: '        return Objects.hash(number, state);',
      shownBy: '        order.state("done");',
    },
  ],
}

const access: Story = {
  name: 'only owners read invoices',
  language: 'Java',
  criteria: [
    'An invoice is shown to its owner and to administrators alone.',
    'Everybody else gets the same answer as for an invoice that is not there.',
  ],
  stakes: 'high',
  files: {
    'src/shop/Invoices.java': `package shop;

import java.util.Optional;

public final class Invoices {
    private final Store store;

    public Invoices(Store store) {
        this.store = store;
    }

    public Optional<Invoice> show(User user, String id) {
        return store.find(id);
    }
}
`,
    'src/shop/User.java': `package shop;

/** The name is chosen by the user and may be that of others; the id is given once. */
public record User(String id, String name, boolean admin) {}
`,
    'src/shop/Invoice.java': `package shop;

public record Invoice(String id, String ownerId, String ownerName, long cents) {}
`,
  },
  good: [
    [
      'src/shop/Invoices.java',
      '        return store.find(id);\n',
      '        return store.find(id).filter(one -> user.admin() || one.ownerId().equals(user.id()));\n',
    ],
  ],
  wrong: [
    {
      name: 'owners are known by a name that anybody can take',
      kind: 'security',
      edits: [
        [
          'src/shop/Invoices.java',
          '        return store.find(id);\n',
          '        return store.find(id).filter(one -> user.admin() || one.ownerName().equals(user.name()));\n',
        ],
      ],
      defect: '        return store.find(id).filter(one -> user.admin() || one.ownerName().equals(user.name()));',
      shownBy: '/** The name is chosen by the user and may be that of others; the id is given once. */',
    },
    {
      name: 'who is refused learns that it exists',
      kind: 'incomplete',
      edits: [
        [
          'src/shop/Invoices.java',
          '        return store.find(id);\n',
          '        Optional<Invoice> found = store.find(id);\n        if (found.isPresent() && !user.admin() && !found.get().ownerId().equals(user.id())) {\n            throw new SecurityException("not yours");\n        }\n        return found;\n',
        ],
      ],
      defect: '            throw new SecurityException("not yours");',
      shownBy: '            throw new SecurityException("not yours");',
    },
  ],
}

export const rustAndJava: readonly Story[] = [parse, queue, orders, access]
