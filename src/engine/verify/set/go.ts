// Stories in Go.
import type { Story } from './story.ts'

const counter: Story = {
  name: 'visits are counted',
  language: 'Go',
  criteria: ['`Count` may be called from several goroutines.', '`Counts` gives a copy that later visits leave alone.'],
  files: {
    'visits/visits.go': `package visits

import "sync"

type Visits struct {
	mu     sync.Mutex
	counts map[string]int
}

func New() *Visits { return &Visits{counts: map[string]int{}} }

func (v *Visits) Count(path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts[path]++
}
`,
  },
  good: [
    [
      'visits/visits.go',
      '	v.counts[path]++\n}\n',
      '	v.counts[path]++\n}\n\nfunc (v *Visits) Counts() map[string]int {\n	v.mu.Lock()\n	defer v.mu.Unlock()\n	copied := make(map[string]int, len(v.counts))\n	for path, n := range v.counts {\n		copied[path] = n\n	}\n	return copied\n}\n',
    ],
  ],
  wrong: [
    {
      name: 'the map itself is handed out',
      kind: 'subtly_wrong',
      edits: [
        [
          'visits/visits.go',
          '	v.counts[path]++\n}\n',
          '	v.counts[path]++\n}\n\nfunc (v *Visits) Counts() map[string]int {\n	v.mu.Lock()\n	defer v.mu.Unlock()\n	return v.counts\n}\n',
        ],
      ],
      defect: '	return v.counts',
      shownBy: '	return v.counts',
    },
    {
      name: 'the copy is made without the lock',
      kind: 'subtly_wrong',
      edits: [
        [
          'visits/visits.go',
          '	v.counts[path]++\n}\n',
          '	v.counts[path]++\n}\n\nfunc (v *Visits) Counts() map[string]int {\n	copied := make(map[string]int, len(v.counts))\n	for path, n := range v.counts {\n		copied[path] = n\n	}\n	return copied\n}\n',
        ],
      ],
      defect: '	for path, n := range v.counts {',
      shownBy: '	mu     sync.Mutex',
    },
  ],
}

const config: Story = {
  name: 'the port comes from the environment',
  language: 'Go',
  criteria: [
    '`PORT` sets the port, 8080 when it is not set.',
    'A port that is no number from 1 to 65535 is an error that names it.',
  ],
  files: {
    'config/config.go': `package config

import (
	"fmt"
	"os"
	"strconv"
)

type Config struct{ Port int }

func Load() (Config, error) {
	return Config{Port: 8080}, nil
}
`,
    'main.go': `package main

import (
	"log"

	"example.com/shop/config"
)

func main() {
	c, err := config.Load()
	if err != nil {
		log.Fatal(err)
	}
	serve(c.Port)
}
`,
  },
  good: [
    [
      'config/config.go',
      '	return Config{Port: 8080}, nil\n',
      '	text := os.Getenv("PORT")\n	if text == "" {\n		return Config{Port: 8080}, nil\n	}\n	port, err := strconv.Atoi(text)\n	if err != nil || port < 1 || port > 65535 {\n		return Config{}, fmt.Errorf("PORT is %q, which is no port", text)\n	}\n	return Config{Port: port}, nil\n',
    ],
  ],
  wrong: [
    {
      name: 'what is no number becomes 0',
      kind: 'subtly_wrong',
      edits: [
        [
          'config/config.go',
          '	return Config{Port: 8080}, nil\n',
          '	text := os.Getenv("PORT")\n	if text == "" {\n		return Config{Port: 8080}, nil\n	}\n	port, _ := strconv.Atoi(text)\n	return Config{Port: port}, nil\n',
        ],
      ],
      defect: '	port, _ := strconv.Atoi(text)',
      shownBy: '	port, _ := strconv.Atoi(text)',
    },
    {
      name: 'a caller takes two values of what gives one now',
      kind: 'contract',
      edits: [
        [
          'config/config.go',
          'func Load() (Config, error) {\n	return Config{Port: 8080}, nil\n',
          'func Load() Config {\n	text := os.Getenv("PORT")\n	if text == "" {\n		return Config{Port: 8080}\n	}\n	port, err := strconv.Atoi(text)\n	if err != nil || port < 1 || port > 65535 {\n		panic(fmt.Sprintf("PORT is %q, which is no port", text))\n	}\n	return Config{Port: port}\n',
        ],
      ],
      defect: 'func Load() Config {',
      shownBy: '	c, err := config.Load()',
    },
  ],
}

const transfer: Story = {
  name: 'money is moved',
  language: 'Go',
  criteria: [
    '`Move` takes the amount from one account and gives it to the other, in one transaction.',
    'An account never goes below zero.',
  ],
  stakes: 'high',
  files: {
    'bank/bank.go': `package bank

import (
	"database/sql"
	"errors"
)

var ErrTooLittle = errors.New("too little money")

func Move(db *sql.DB, from, to string, cents int64) error {
	return nil
}
`,
    'bank/accounts.go': `package bank

import "database/sql"

// withdraw takes what it is told to, also what is not there.
func withdraw(tx *sql.Tx, id string, cents int64) error {
	_, err := tx.Exec("UPDATE accounts SET cents = cents - $1 WHERE id = $2", cents, id)
	return err
}
`,
  },
  good: [
    [
      'bank/bank.go',
      '	return nil\n',
      '	if cents <= 0 {\n		return errors.New("nothing to move")\n	}\n	tx, err := db.Begin()\n	if err != nil {\n		return err\n	}\n	defer tx.Rollback()\n	taken, err := tx.Exec("UPDATE accounts SET cents = cents - $1 WHERE id = $2 AND cents >= $1", cents, from)\n	if err != nil {\n		return err\n	}\n	if n, err := taken.RowsAffected(); err != nil || n != 1 {\n		return errors.Join(ErrTooLittle, err)\n	}\n	given, err := tx.Exec("UPDATE accounts SET cents = cents + $1 WHERE id = $2", cents, to)\n	if err != nil {\n		return err\n	}\n	if n, err := given.RowsAffected(); err != nil || n != 1 {\n		return errors.Join(sql.ErrNoRows, err)\n	}\n	return tx.Commit()\n',
    ],
  ],
  wrong: [
    {
      name: 'it is looked at first and taken later, outside of a transaction',
      kind: 'security',
      edits: [
        [
          'bank/bank.go',
          '	return nil\n',
          '	var has int64\n	if err := db.QueryRow("SELECT cents FROM accounts WHERE id = $1", from).Scan(&has); err != nil {\n		return err\n	}\n	if has < cents {\n		return ErrTooLittle\n	}\n	if _, err := db.Exec("UPDATE accounts SET cents = cents - $1 WHERE id = $2", cents, from); err != nil {\n		return err\n	}\n	_, err := db.Exec("UPDATE accounts SET cents = cents + $1 WHERE id = $2", cents, to)\n	return err\n',
        ],
      ],
      defect:
        '	if _, err := db.Exec("UPDATE accounts SET cents = cents - $1 WHERE id = $2", cents, from); err != nil {',
      shownBy: '	_, err := db.Exec("UPDATE accounts SET cents = cents + $1 WHERE id = $2", cents, to)',
    },
    {
      name: 'a helper is trusted to refuse what it does not',
      kind: 'contract',
      edits: [
        [
          'bank/bank.go',
          '	return nil\n',
          '	tx, err := db.Begin()\n	if err != nil {\n		return err\n	}\n	defer tx.Rollback()\n	if err := withdraw(tx, from, cents); err != nil {\n		return ErrTooLittle\n	}\n	if err := withdraw(tx, to, -cents); err != nil {\n		return err\n	}\n	return tx.Commit()\n',
        ],
      ],
      defect: '	if err := withdraw(tx, from, cents); err != nil {',
      shownBy: '// withdraw takes what it is told to, also what is not there.',
    },
  ],
}

export const go: readonly Story[] = [counter, config, transfer]
