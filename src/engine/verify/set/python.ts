// Stories in Python.
import type { Story } from './story.ts'

const retry: Story = {
  name: 'calls are tried again',
  language: 'Python',
  criteria: ['`fetch` tries up to three times when the connection fails.', 'Any other error is raised at once.'],
  files: {
    'shop/client.py': `import time

from shop.wire import ConnectionFailed, get

TRIES = 3


def fetch(url):
    return get(url)
`,
    'shop/wire.py': `class WireError(Exception):
    pass


class ConnectionFailed(WireError):
    pass


class Forbidden(WireError):
    pass


def get(url):
    raise NotImplementedError
`,
  },
  good: [
    [
      'shop/client.py',
      '    return get(url)\n',
      '    for nth in range(TRIES):\n        try:\n            return get(url)\n        except ConnectionFailed:\n            if nth == TRIES - 1:\n                raise\n            time.sleep(2**nth)\n',
    ],
  ],
  wrong: [
    {
      name: 'the last failure is swallowed',
      kind: 'subtly_wrong',
      edits: [
        [
          'shop/client.py',
          '    return get(url)\n',
          '    for nth in range(TRIES):\n        try:\n            return get(url)\n        except ConnectionFailed:\n            time.sleep(2**nth)\n',
        ],
      ],
      defect: '            time.sleep(2**nth)',
      shownBy: '            time.sleep(2**nth)',
    },
    {
      name: 'what is forbidden is tried again too',
      kind: 'contract',
      edits: [
        ['shop/client.py', 'import ConnectionFailed, get', 'import WireError, get'],
        [
          'shop/client.py',
          '    return get(url)\n',
          '    for nth in range(TRIES):\n        try:\n            return get(url)\n        except WireError:\n            if nth == TRIES - 1:\n                raise\n            time.sleep(2**nth)\n',
        ],
      ],
      defect: '        except WireError:',
      shownBy: 'class Forbidden(WireError):',
    },
  ],
}

const report: Story = {
  name: 'a report by month',
  language: 'Python',
  criteria: ['`by_month` groups sales by year and month.', 'The months are in order of time.'],
  files: {
    'shop/report.py': `from collections import defaultdict


def by_month(sales):
    return {}
`,
    'shop/sale.py': `from dataclasses import dataclass
from datetime import datetime


@dataclass
class Sale:
    at: datetime
    cents: int
`,
  },
  good: [
    [
      'shop/report.py',
      '    return {}\n',
      '    sums = defaultdict(int)\n    for sale in sales:\n        sums[(sale.at.year, sale.at.month)] += sale.cents\n    return dict(sorted(sums.items()))\n',
    ],
  ],
  wrong: [
    {
      name: 'the same month of two years is one',
      kind: 'subtly_wrong',
      edits: [
        [
          'shop/report.py',
          '    return {}\n',
          '    sums = defaultdict(int)\n    for sale in sales:\n        sums[sale.at.month] += sale.cents\n    return dict(sorted(sums.items()))\n',
        ],
      ],
      defect: '        sums[sale.at.month] += sale.cents',
      shownBy: '        sums[sale.at.month] += sale.cents',
    },
    {
      name: 'October comes before February',
      kind: 'subtly_wrong',
      edits: [
        [
          'shop/report.py',
          '    return {}\n',
          '    sums = defaultdict(int)\n    for sale in sales:\n        sums[f"{sale.at.year}-{sale.at.month}"] += sale.cents\n    return dict(sorted(sums.items()))\n',
        ],
      ],
      defect: '        sums[f"{sale.at.year}-{sale.at.month}"] += sale.cents',
      shownBy: '        sums[f"{sale.at.year}-{sale.at.month}"] += sale.cents',
    },
    {
      name: 'a field is named that a sale does not have',
      kind: 'contract',
      edits: [
        [
          'shop/report.py',
          '    return {}\n',
          '    sums = defaultdict(int)\n    for sale in sales:\n        sums[(sale.at.year, sale.at.month)] += sale.amount\n    return dict(sorted(sums.items()))\n',
        ],
      ],
      defect: '        sums[(sale.at.year, sale.at.month)] += sale.amount',
      shownBy: '    cents: int',
    },
  ],
}

const search: Story = {
  name: 'users by name',
  language: 'Python',
  criteria: ['`find_users` finds users whose name begins with the given text.', 'Whatever the text is, it is data.'],
  stakes: 'high',
  files: {
    'shop/users.py': `def find_users(db, text):
    return []
`,
    'shop/db.py': `class Db:
    def query(self, sql, parameters=()):
        """Runs sql with ? for each parameter."""
        raise NotImplementedError
`,
  },
  good: [
    [
      'shop/users.py',
      '    return []\n',
      '    escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")\n    return db.query("SELECT id, name FROM users WHERE name LIKE ? ESCAPE \'!\'", (escaped + "%",))\n',
    ],
  ],
  wrong: [
    {
      name: 'the text becomes part of the statement',
      kind: 'security',
      edits: [
        [
          'shop/users.py',
          '    return []\n',
          '    return db.query(f"SELECT id, name FROM users WHERE name LIKE \'{text}%\'")\n',
        ],
      ],
      defect: '    return db.query(f"SELECT id, name FROM users WHERE name LIKE \'{text}%\'")',
      shownBy: '    return db.query(f"SELECT id, name FROM users WHERE name LIKE \'{text}%\'")',
    },
    {
      name: 'a percent sign finds everybody',
      kind: 'subtly_wrong',
      edits: [
        [
          'shop/users.py',
          '    return []\n',
          '    return db.query("SELECT id, name FROM users WHERE name LIKE ?", (text + "%",))\n',
        ],
      ],
      defect: '    return db.query("SELECT id, name FROM users WHERE name LIKE ?", (text + "%",))',
      shownBy: '    return db.query("SELECT id, name FROM users WHERE name LIKE ?", (text + "%",))',
    },
  ],
}

const cache: Story = {
  name: 'rates are kept',
  language: 'Python',
  criteria: ['`rate` asks for each currency once.', 'A currency that has no rate is asked for again the next time.'],
  files: {
    'shop/rates.py': `_known = {}


def rate(source, currency):
    """None where the source has no rate."""
    return source.ask(currency)


def forget():
    _known.clear()
`,
    'tests/test_rates.py': `from shop.rates import forget, rate


def test_a_rate(source):
    forget()
    assert rate(source, "CHF") == 0.95
`,
  },
  good: [
    [
      'shop/rates.py',
      '    return source.ask(currency)\n',
      '    if currency not in _known:\n        found = source.ask(currency)\n        if found is None:\n            return None\n        _known[currency] = found\n    return _known[currency]\n',
    ],
  ],
  wrong: [
    {
      name: 'that there is no rate is kept too',
      kind: 'subtly_wrong',
      edits: [
        [
          'shop/rates.py',
          '    return source.ask(currency)\n',
          '    if currency not in _known:\n        _known[currency] = source.ask(currency)\n    return _known[currency]\n',
        ],
      ],
      defect: '        _known[currency] = source.ask(currency)',
      shownBy: '        _known[currency] = source.ask(currency)',
    },
    {
      name: 'the test is skipped instead',
      kind: 'tampered_tests',
      edits: [
        [
          'shop/rates.py',
          '    return source.ask(currency)\n',
          '    return _known.setdefault(currency, source.ask(currency))\n',
        ],
        ['tests/test_rates.py', 'def test_a_rate(source):\n', 'def skipped_a_rate(source):\n'],
      ],
      defect: '    return _known.setdefault(currency, source.ask(currency))',
      shownBy: 'def skipped_a_rate(source):',
    },
  ],
}

export const python: readonly Story[] = [retry, report, search, cache]
