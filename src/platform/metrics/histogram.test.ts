import { Histogram as Library, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Histogram } from './histogram.ts'

const bounds = [0.001, 0.1, 3]

/** Tells both ours and that of prom-client the same. @returns what they answer */
async function both(labels: string[], told: readonly (readonly [Record<string, string>, number])[]) {
  const about = { name: 'query_seconds', help: 'Time of a statement.' }
  const registry = new Registry()
  const library = new Library({ ...about, labelNames: labels, buckets: bounds, registers: [registry] })
  const own = new Histogram({ ...about, labels, bounds })
  for (const [values, value] of told) {
    library.observe(values, value)
    own.observe(values, value)
  }
  return [own.text(), await registry.metrics()]
}

test('says what that of prom-client says', async () => {
  const values = [0, 0.001, 0.0011, 0.1, 2.5, 3, 3.0001, 40]
  const [none, asNone] = await both([], [])
  expect(none).toBe(asNone)
  const [single, asSingle] = await both(
    [],
    values.map(value => [{}, value]),
  )
  expect(single).toBe(asSingle)
  expect(single).toContain('query_seconds_bucket{le="3"} 6\n')
  const [unused, asUnused] = await both(['kind'], [])
  expect(unused).toBe(asUnused)
  const kinds = ['select', 'insert', 'a"b\\c\nd']
  const [byKind, asByKind] = await both(
    ['kind'],
    values.map((value, n) => [{ kind: kinds[n % 3] ?? '' }, value]),
  )
  expect(byKind).toBe(asByKind)
  const routes = values.map(
    (value, n) => [{ route: `/api/${n % 3}`, method: n % 2 ? 'GET' : 'POST', status: '2xx' }, value] as const,
  )
  const [byCall, asByCall] = await both(['route', 'method', 'status'], routes)
  expect(byCall).toBe(asByCall)
})
