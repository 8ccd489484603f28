// Stories in Ruby, in shell and in SQL.
import type { Story } from './story.ts'

const coupon: Story = {
  name: 'coupons are used once',
  language: 'Ruby',
  criteria: ['A coupon is taken off once per customer.', 'A coupon that has ended is refused.'],
  files: {
    'lib/coupon.rb': `class Coupon
  attr_reader :code, :ends_at

  def initialize(code, ends_at, used)
    @code = code
    @ends_at = ends_at
    # Sets of ids of customers, by code.
    @used = used
  end

  def redeem(customer, now)
    true
  end
end
`,
    'lib/cart.rb': `class Cart
  def apply(coupon, customer, now)
    return "not valid" unless coupon.redeem(customer, now)

    @off = coupon.code
  end
end
`,
  },
  good: [
    [
      'lib/coupon.rb',
      '    true\n',
      '    return false if now >= ends_at\n\n    !(@used[code] ||= Set.new).add?(customer.id).nil?\n',
    ],
  ],
  wrong: [
    {
      name: 'who was refused for time has used it all the same',
      kind: 'subtly_wrong',
      edits: [
        [
          'lib/coupon.rb',
          '    true\n',
          '    first = (@used[code] ||= Set.new).add?(customer.id)\n    !first.nil? && ends_at < now\n',
        ],
      ],
      defect: '    !first.nil? && ends_at < now',
      shownBy: '    !first.nil? && ends_at < now',
    },
    {
      name: 'a reason is given where a yes or no is taken',
      kind: 'contract',
      edits: [
        [
          'lib/coupon.rb',
          '    true\n',
          '    return :ended if now >= ends_at\n\n    (@used[code] ||= Set.new).add?(customer.id).nil? ? :used : true\n',
        ],
      ],
      defect: '    return :ended if now >= ends_at',
      shownBy: '    return "not valid" unless coupon.redeem(customer, now)',
    },
  ],
}

const mail: Story = {
  name: 'mail is sent later',
  language: 'Ruby',
  criteria: ['`Signup#call` leaves the welcome mail to the queue.', 'No mail goes out for a user who was not saved.'],
  files: {
    'app/signup.rb': `class Signup
  def call(user)
    user.save!
    Mailer.welcome(user).deliver
  end
end
`,
    'app/user.rb': `class User
  # Whoever calls this within a transaction may still lose the user.
  def save!
    Database.current.insert(self)
  end
end
`,
    'test/signup_test.rb': `class SignupTest < Minitest::Test
  def test_nobody_is_written_to_who_was_not_saved
    user = BrokenUser.new
    assert_raises(NotSaved) { Signup.new.call(user) }
    assert_empty Mailer.queued
  end
end
`,
  },
  good: [['app/signup.rb', '    Mailer.welcome(user).deliver\n', '    Mailer.welcome(user).deliver_later\n']],
  wrong: [
    {
      name: 'the mail is queued before the user is saved',
      kind: 'subtly_wrong',
      edits: [
        [
          'app/signup.rb',
          '    user.save!\n    Mailer.welcome(user).deliver\n',
          '    Mailer.welcome(user).deliver_later\n    user.save!\n',
        ],
      ],
      defect: '    Mailer.welcome(user).deliver_later',
      shownBy: '    Mailer.welcome(user).deliver_later',
    },
    {
      name: 'the test that would notice has lost what it asserts',
      kind: 'tampered_tests',
      edits: [
        [
          'app/signup.rb',
          '    user.save!\n    Mailer.welcome(user).deliver\n',
          '    Mailer.welcome(user).deliver_later\n    user.save!\n',
        ],
        ['test/signup_test.rb', '    assert_empty Mailer.queued\n', ''],
      ],
      defect: '    user.save!',
      shownBy: '    assert_empty Mailer.queued',
    },
  ],
}

const backup: Story = {
  name: 'old backups are removed',
  language: 'Shell',
  criteria: ['`prune.sh DIR` keeps the seven newest backups of DIR.', 'Without DIR nothing is removed.'],
  stakes: 'high',
  files: {
    'bin/prune.sh': `#!/usr/bin/env bash
set -euo pipefail

dir="\${1:?which directory?}"
`,
    'bin/nightly.sh': `#!/usr/bin/env bash
set -euo pipefail

# Names are such as "of monday.tar", with a space.
tar -cf "$BACKUPS/of $(date +%A).tar" /srv/shop
bin/prune.sh "$BACKUPS"
`,
  },
  good: [
    [
      'bin/prune.sh',
      'dir="${1:?which directory?}"\n',
      `dir="\${1:?which directory?}"
find "$dir" -maxdepth 1 -name '*.tar' -printf '%T@ %p\\0' | sort -zrn | tail -zn +8 | cut -zd' ' -f2- | xargs -0r rm --
`,
    ],
  ],
  wrong: [
    {
      name: 'names with spaces come apart',
      kind: 'subtly_wrong',
      edits: [
        [
          'bin/prune.sh',
          'dir="${1:?which directory?}"\n',
          'dir="${1:?which directory?}"\nls -t "$dir"/*.tar | tail -n +8 | xargs -r rm\n',
        ],
      ],
      defect: 'ls -t "$dir"/*.tar | tail -n +8 | xargs -r rm',
      shownBy: '# Names are such as "of monday.tar", with a space.',
    },
    {
      name: 'without a directory the root is cleared',
      kind: 'security',
      edits: [
        [
          'bin/prune.sh',
          'dir="${1:?which directory?}"\n',
          'dir="${1:-}"\nrm -rf "$dir"/old\nmkdir "$dir/old" && ls -td "$dir"/*.tar | tail -n +8 | xargs -rd\'\\n\' mv -t "$dir/old"\n',
        ],
      ],
      defect: 'dir="${1:-}"',
      shownBy: 'dir="${1:-}"',
    },
  ],
}

const column: Story = {
  name: 'users have a state',
  language: 'SQL',
  criteria: ['`users` gets a column `state`, which is never null.', 'Rows that are there already are `active`.'],
  files: {
    'migrations/001_users.sql': `CREATE TABLE users (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  blocked boolean NOT NULL DEFAULT false
);
`,
    'src/login.sql': `-- Whoever is blocked stays out.
SELECT id FROM users WHERE name = $1 AND NOT blocked;
`,
  },
  good: [['migrations/002_state.sql', '', "ALTER TABLE users ADD COLUMN state text NOT NULL DEFAULT 'active';\n"]],
  wrong: [
    {
      name: 'rows that are there already have none',
      kind: 'subtly_wrong',
      edits: [['migrations/002_state.sql', '', 'ALTER TABLE users ADD COLUMN state text NOT NULL;\n']],
      defect: 'ALTER TABLE users ADD COLUMN state text NOT NULL;',
      shownBy: 'ALTER TABLE users ADD COLUMN state text NOT NULL;',
    },
    {
      name: 'a column goes that a query still reads',
      kind: 'contract',
      edits: [
        [
          'migrations/002_state.sql',
          '',
          "ALTER TABLE users ADD COLUMN state text NOT NULL DEFAULT 'active';\nALTER TABLE users DROP COLUMN blocked;\n",
        ],
      ],
      defect: 'ALTER TABLE users DROP COLUMN blocked;',
      shownBy: 'SELECT id FROM users WHERE name = $1 AND NOT blocked;',
    },
  ],
}

export const rubyShellSql: readonly Story[] = [coupon, mail, backup, column]
