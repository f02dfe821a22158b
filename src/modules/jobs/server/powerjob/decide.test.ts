import { expect, test } from 'vitest'
import { decide, type Preference, type Sides } from './decide.ts'

const both = { isLinked: true, syncState: 1, agreed: 'a', local: 'a', remote: 'a' } as const

const cases: readonly (readonly [string, Partial<Sides>, Preference | undefined, string])[] = [
  ['new here', { isLinked: false, syncState: 2, agreed: null, remote: null }, undefined, 'create'],
  ['same on both sides', {}, undefined, 'nothing'],
  ['same, and known to be so only now', { syncState: 2 }, undefined, 'agree'],
  ['changed on both sides to the same', { local: 'b', remote: 'b' }, undefined, 'agree'],
  ['found by its mark, the same', { isLinked: false, syncState: 2, agreed: null }, undefined, 'agree'],
  [
    'found by its mark, changed since',
    { isLinked: false, syncState: 2, agreed: null, local: 'b' },
    undefined,
    'conflict',
  ],
  ['changed here', { local: 'b' }, undefined, 'push'],
  ['changed there', { remote: 'b' }, undefined, 'pull'],
  ['changed on both sides', { local: 'b', remote: 'c' }, undefined, 'conflict'],
  ['changed on both sides, ours is chosen', { local: 'b', remote: 'c', syncState: 3 }, 'local', 'push'],
  ['changed on both sides, theirs is chosen', { local: 'b', remote: 'c', syncState: 3 }, 'remote', 'pull'],
  ['deleted there', { remote: null }, undefined, 'gone'],
  ['deleted there and changed here', { remote: null, local: 'b' }, 'local', 'gone'],
  ['deleted there, as is known', { remote: null, syncState: 4 }, undefined, 'nothing'],
]

test.each(cases)('%s', (_what, sides, prefer, expected) => expect(decide({ ...both, ...sides }, prefer)).toBe(expected))
