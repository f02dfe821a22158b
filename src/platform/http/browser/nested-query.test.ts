import { expect, test } from 'vitest'
import query from './nested-query.ts'

const values = {
  currentPage: 2,
  sorters: [{ field: 'createTime', order: 'desc' }],
  filters: [
    { field: 'examName', operator: 'eq', value: '护士 & 医师 #1 + a=b' },
    { field: 'signTime', operator: 'between', value: ['2026-01-01 00:00:00', '2026-02-01 00:00:00'] },
  ],
}

test('what is written is read again', () => {
  expect(query.parse(query.stringify(values))).toEqual({ ...values, currentPage: '2' })
  expect(query.parse(query.stringify(values, { addQueryPrefix: true }))).toEqual({ ...values, currentPage: '2' })
})

test('empty values are left out', () => {
  expect(query.stringify({ a: null, b: undefined, c: [], d: 0 })).toBe('d=0')
  expect(query.stringify({}, { addQueryPrefix: true })).toBe('')
})

test('an address cannot reach into every object', () => {
  query.parse('__proto__[admin]=1&a[constructor][prototype][admin]=1')
  expect(({} as Record<string, unknown>).admin).toBeUndefined()
})

test('a value where a group is expected does not break the page', () => {
  expect(query.parse('filters=1&filters[0][field]=a')).toEqual({ filters: [{ field: 'a' }] })
})
