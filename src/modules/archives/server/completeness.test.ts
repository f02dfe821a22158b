import { expect, test } from 'vitest'
import type { Entity } from '#engine'
import { entities } from '#schemas'
import { ticketPictureNames } from '#schemas/tickets/ticket-pictures'
import { archiveTables, fileFolders, personalFiles } from './tables.ts'

// A table that is new is refused here until somebody decides whether archives have it.

/** Tables with rows of an exam, by reference or by a number in a text, that archives do not have as tables, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  formeraddress: 'addresses of an account, which belong to no exam; only by the message do they hang on one',
  attach: 'the files themselves are in the archive, under the rows that name them',
  auditlog: 'logs/auditlog.jsonl has the lines of the exam and its sign-ups',
  sendledger: 'the balance of the tenant: what an exam has spent stands in send and sendmessage',
  reconciliationitem: 'differences of a day of the merchant, over all exams',
  exporttask: 'copies that were taken away: who took which stands in the audit log',
}

const all = entities as readonly Entity[]

/** Tables whose rows hang on an exam, directly or through a parent. */
function hanging(): ReadonlySet<string> {
  const found = new Set(['examination'])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { name, properties } of all)
      if (Object.values(properties).some(({ ref }) => ref !== undefined && found.has(ref))) found.add(name)
  }
  return found
}

const archived = new Set(archiveTables.map(one => one.resource.entity.name))

test('every table with rows of an exam is in its archive, or somebody has said why not', () => {
  const open = [...hanging()].filter(name => !archived.has(name) && !(name in leftOut))
  expect(open).toEqual([])
  // What is said of a table that is in the archive, or is none, is wrong.
  const names = new Set(all.map(one => one.name))
  const wrong = Object.keys(leftOut).filter(name => archived.has(name) || !names.has(name))
  expect(wrong).toEqual([])
  expect(archived.size).toBe(archiveTables.length)
})

test('every file that a row of an exam names is in its archive', () => {
  const pictures: readonly string[] = ticketPictureNames
  const fields = archiveTables.flatMap(({ resource: { entity } }) =>
    Object.entries(entity.properties)
      .filter(([name, { kind }]) => kind === 'file' || kind === 'image' || pictures.includes(name))
      .map(([name]) => [entity.name, name] as const),
  )
  const ofPeople: Readonly<Record<string, readonly string[]>> = { ...personalFiles, ticketnotice: pictures }
  const lost = fields.filter(([table, name]) => !(table in fileFolders) && !ofPeople[table]?.includes(name))
  expect(lost).toEqual([])
  expect(fields.length).toBeGreaterThan(15)
})
