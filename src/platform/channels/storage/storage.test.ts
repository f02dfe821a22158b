import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey, type Storage } from './index.ts'
import { localStorage } from './local.ts'

let dir: string
let storage: Storage
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'storage-'))
  storage = localStorage(path.join(dir, 'files'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('localStorage', () => {
  it('keeps, gives, replaces and forgets', async () => {
    const key = newKey('.PDF')
    expect(key).toMatch(/^([0-9a-f]{2})\/\1[0-9a-f]{30}\.pdf$/)
    await storage.put(key, Buffer.from('一'))
    expect((await storage.get(key)).toString()).toBe('一')
    await storage.put(key, Buffer.from('二'))
    const chunks = await storage.open(key).toArray()
    expect(Buffer.concat(chunks).toString()).toBe('二')
    expect(await readdir(path.join(dir, 'files', key.slice(0, 2)))).toHaveLength(1)
    await storage.remove(key)
    await storage.remove(key)
    await expect(storage.get(key)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a\\b', 'a\u0000b', '', '.', '..', 'A', 'a//b', '.hidden', 'a.b.c'])(
    'takes no key that could point elsewhere: %j',
    async key => {
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('not a storage key')
      await expect(storage.get(key)).rejects.toThrow('not a storage key')
      expect(() => storage.open(key)).toThrow('not a storage key')
      await expect(storage.remove(key)).rejects.toThrow('not a storage key')
    },
  )

  it('makes keys that do not repeat', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newKey())).size).toBe(1000)
  })
})
