import { describe, expect, test } from 'vitest'
import { testLossOfPrimary } from '../../../tests/helper/lost-primary.ts'
import { hostsOf, isDatabaseAddress } from './hosts.ts'

describe('an address', () => {
  test.each([
    ['postgresql://a/x', undefined],
    [
      'postgresql://me:p%40ss@a:1,b/x?sslmode=require',
      ['postgresql://me:p%40ss@a:1/x?sslmode=require', 'postgresql://me:p%40ss@b:5432/x?sslmode=require'],
    ],
    ['postgres://[::1]:7,10.0.0.5:8/x', ['postgres://[::1]:7/x', 'postgres://10.0.0.5:8/x']],
    ['postgresql://u@localhost/x?host=/a,b', undefined],
  ])('%s', (url, each) => {
    const named = hostsOf(url)
    expect(named?.hosts.map(named.at)).toEqual(each)
    expect(isDatabaseAddress(url)).toBe(true)
  })

  test.each(['postgresql://a:1,:2/x', 'postgresql://a:x,b:2/x', 'postgresql://a,,b/x'])('that is none: %s', url => {
    expect(isDatabaseAddress(url)).toBe(false)
  })
})

// Other ways to lose it take longer and are tested with what takes long.
testLossOfPrimary([['is killed', hosts => hosts.primary.kill()]])
