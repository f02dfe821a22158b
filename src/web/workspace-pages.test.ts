import { expect, test } from 'vitest'
import { examWorkspace } from '#resources/exams/examination-workspace'
import { codesOf, menus } from '../platform/tenants/server/seed/menus.ts'
import { roles } from '../platform/tenants/server/seed/roles.ts'
import { openPages } from '../screens/workspace/open-pages.ts'
import { pages } from './pages.ts'

/** The pages that a role of a new installation sees of an exam, in their order. */
function pagesOf(alias: string): string[] {
  const codes = codesOf(roles.find(one => one.alias === alias)?.grants ?? '')
  const mine = menus.filter(({ code }) => codes.has(code))
  const names = new Map(mine.flatMap(({ path, name }) => (path ? [[path, name] as const] : [])))
  const permissions = Object.fromEntries(mine.map(({ code }) => [code, true as const]))
  const made = pages.filter(page => !page.audience || page.audience === 'staff')
  return openPages(examWorkspace, { names, permissions }, made).map(({ page }) => page.name)
}

const all = examWorkspace.pages.map(({ name }) => name)
const without = (...names: string[]) => all.filter(name => !names.includes(name))
const money = ['dues', 'orders', 'refunds', 'invoices']

// Who sees what, as the roles are meant and not as their grants are written.
test.each([
  ['administrator', all],
  ['admin', all],
  ['exam_admin', without('review', 'reviewed', 'recheck', 'fees', 'archive', ...money)],
  ['reviewer', ['signups', 'review', 'reviewed', 'statistics']],
  ['rechecker', ['signups', 'reviewed', 'recheck', 'statistics']],
  ['finance', ['fees', ...money]],
  ['proctor', ['checkin']],
  ['operator', []],
  ['auditor', []],
  ['candidate', []],
  ['guest', []],
])('%s sees these pages of an exam: %j', (alias, expected) => expect(pagesOf(alias)).toEqual(expected))
