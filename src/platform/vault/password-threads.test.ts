import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a password is known by its hash, another one and a hash that is none are not', async () => {
  const stored = await hashPassword('Juxian@2026')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=12288,t=3,p=1\$/)
  const asked = ['Juxian@2026', 'Juxian@2027'].map(password => verifyPassword(stored, password))
  expect(await Promise.all([...asked, verifyPassword('none', 'Juxian@2026'), verifyPassword(null, 'x')])).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a thread that breaks takes one question with it, not those that come after', async () => {
  const broken = hashPassword(undefined as unknown as string)
  await expect(broken).rejects.toThrow()
  const many = await Promise.all(Array.from({ length: 6 }, (_, n) => hashPassword(`Juxian@202${n}`)))
  expect(await verifyPassword(many[5], 'Juxian@2025')).toBe(true)
})
