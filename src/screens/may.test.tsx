import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { matches } from '#engine'
import { examWorkspace } from '#resources/exams/examination-workspace'
import { examitems } from '#resources/exams/examitems'
import { ExamStatus } from '#schemas/dictionaries'
import { useMay } from './may.ts'
import { PlaceContext } from './workspace/place.ts'

const abilities = ['view', 'export', 'add', 'edit', 'remove', 'import'] as const

vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({}) as never,
  usePermissions: () => new Proxy({}, { get: () => true }),
}))

const still = Object.values(ExamStatus).filter(examStatus => matches({ examStatus }, examWorkspace.still ?? {}))

test.each([
  [false, ['view', 'export', 'add', 'edit', 'remove', 'import']],
  [true, ['view', 'export']],
])('where nothing is changed any more (%s) a list offers %j', (isStill, offered) => {
  expect(still).toEqual([ExamStatus.archived])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PlaceContext value={{ workspace: examWorkspace, id: '7', page: 'positions', isStill }}>{children}</PlaceContext>
  )
  const { current: may } = renderHook(() => useMay(examitems as never), { wrapper }).result
  expect(abilities.filter(may)).toEqual(offered)
})
