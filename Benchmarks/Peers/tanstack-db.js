// Measures how long TanStack DB takes to move one row of a filtered, sorted list, for comparison with `DerivedBenchmarks`. The
// script needs clones of TanStack/db as `db`, of rocicorp/fractional-indexing as `fi`, and of qwertie/btree-typescript as `bt`,
// and node and esbuild from Debian:
//
//   esbuild tanstack-db.js --bundle --platform=node --format=esm --outfile=out.mjs \
//     --alias:@tanstack/db-ivm=./db/packages/db-ivm/src/index.ts --alias:fractional-indexing=./fi/src/index.js \
//     --alias:sorted-btree=./bt/b+tree.js      # with empty classes for @tanstack/pacer-lite in node_modules
//   node out.mjs 100000
import { createCollection, createLiveQueryCollection, eq } from './db/packages/db/src/index.ts'
const size = Number(process.argv[2])
const rows = []
for (let i = 0; i < size; i++) rows.push({ id: i, name: 'row ' + i, price: Math.random() * 1000, group: i % 20, isOpen: i % 4 != 0 })
let sync
const market = createCollection({ id: 'market', getKey: (r) => r.id, startSync: true,
  sync: { sync: (p) => { sync = p; p.begin(); for (const r of rows) p.write({ type: 'insert', value: r }); p.commit(); p.markReady() } } })
const t0 = performance.now()
const live = createLiveQueryCollection({ startSync: true, query: (q) => q.from({ r: market }).where(({ r }) => eq(r.isOpen, true)).orderBy(({ r }) => r.price, 'asc') })
await live.preload()
const t1 = performance.now()
let changes = 0
live.subscribeChanges((c) => { changes += c.length })
const check = (a) => { for (let i = 1; i < a.length; i++) if (a[i - 1].price > a[i].price) throw new Error('order') ; return a.length }
console.log('load ms', (t1 - t0).toFixed(1), 'rows', check(live.toArray))
const told = [], read = []
for (let n = 0; n < 301; n++) {
  let i; do { i = Math.floor(Math.random() * size) } while (!rows[i].isOpen)
  rows[i] = { ...rows[i], price: Math.random() * 1000 }
  const before = changes
  const s = performance.now()
  sync.begin(); sync.write({ type: 'update', value: rows[i] }); sync.commit()
  while (changes == before) await null
  const m = performance.now()
  const a = live.toArray
  const e = performance.now()
  if (n == 300) check(a)
  told.push((m - s) * 1000); read.push((e - m) * 1000)
}
const med = (x) => x.sort((a, b) => a - b)[Math.floor(x.length / 2)].toFixed(1)
console.log(size, 'told µs', med(told), 'array read µs', med(read))
