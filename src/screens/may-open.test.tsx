import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { examWorkspace } from '../../resources/exams/examination-workspace.ts'
import { MadePages, useMayOpen } from './may-open.ts'
import type { PageRoute } from './parts/route.ts'
import { PlaceContext } from './workspace/place.ts'

const names = new Map([
  ['/exam/examination', '考试'],
  ['/exam/examitems', '岗位'],
  ['/log/error?level=1', '错误日志'],
  ['/examine/list', '待审核'],
])
const paths = new Set([...names.keys()].map(path => path.split('?')[0]!))

vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({ rights: { routes: [], names, paths, permissions: {} } }),
}))

const page = (path: string, more: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title: '',
  load: () => Promise.reject(new Error('not drawn')),
  ...more,
})
const made = [
  page('/examine/info/:id', { menu: '/examine/list' }),
  page('/ticket/allot'),
  page('/exam/exporttask', { access: 'signed-in' }),
]

/** What somebody may open who has exams, positions and the list to review, where he stands in an exam or outside. */
function mayOpen(address: string, isInside = true): boolean {
  const open = new Set(['positions', 'stages'])
  const place = isInside ? { workspace: examWorkspace, id: '7', page: 'positions', open } : null
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MadePages value={made}>
      <PlaceContext value={place as never}>{children}</PlaceContext>
    </MadePages>
  )
  return renderHook(() => useMayOpen(), { wrapper }).result.current(address)
}

test.each([
  ['/public/exam/:examId', true],
  ['/exam/exporttask', true],
  ['/exam/examination', true],
  ['/exam/examitems', true],
  ['/log/error', true],
  ['/examine/info/:id', true],
  ['/ticket/allot?examId=:id', false],
  ['/signup/signup', false],
  ['/exam/:examId', true],
  ['/exam/:examId/positions', true],
  ['/exam/:examId/signups?finalCode=:code', false],
])('%s: %s', (address, expected) => {
  expect(mayOpen(address)).toBe(expected)
})

test('a page of a workspace that is not known yet may be tried', () => {
  expect(mayOpen('/exam/:examId/signups', false)).toBe(true)
})
