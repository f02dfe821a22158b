import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApp } from '../helper/app.ts'
import { listenToStatements } from '../helper/statements.ts'

/** Seconds for which a server is left alone. */
const alone = 4
/** How often the same may be asked in a second by a server that has nothing to do: once by each way that something goes out. */
const most = 3

test('a server that nobody calls does not ask the database for the same again and again', async () => {
  const t = await testApp({ config: { jobs: true } })
  const statements = listenToStatements(t)
  await sleep(alone * 1000)
  statements.stop()
  await t.close()
  const asked = new Map<string, number>()
  for (const text of statements.texts) asked.set(text, (asked.get(text) ?? 0) + 1)
  const often = [...asked].filter(([text, times]) => times > most * alone && !/^(begin|commit)/i.test(text))
  expect(often).toEqual([])
  expect(asked.size).toBeGreaterThan(0)
})
