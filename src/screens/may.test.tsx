import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { matches, type Resource } from '#engine'
import { examination } from '#resources/exams/examination'
import { examWorkspace } from '#resources/exams/examination-workspace'
import { examitems } from '#resources/exams/examitems'
import { payrefund } from '#resources/payment/payrefund'
import { postreductionname } from '#resources/reduction/postreductionname'
import { signup } from '#resources/sign-up/signup'
import { ExamStatus } from '#schemas/dictionaries'
import { useMay } from './may.ts'
import { PlaceContext } from './workspace/place.ts'

const abilities = ['view', 'export', 'add', 'edit', 'remove', 'import'] as const

vi.mock(import('./may-open.ts'), async original => ({ ...(await original()), useMayOpen: () => () => true }))
vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({}) as never,
  usePermissions: () => new Proxy({}, { get: () => true }),
}))

const still = Object.values(ExamStatus).filter(examStatus => matches({ examStatus }, examWorkspace.still ?? {}))

const offeredIn = (resource: Resource, some: readonly string[], isStill: boolean): readonly string[] => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PlaceContext value={{ workspace: examWorkspace, id: '7', page: 'positions', isStill }}>{children}</PlaceContext>
  )
  const { current: may } = renderHook(() => useMay(resource), { wrapper }).result
  return some.filter(may)
}

test.each([
  [false, ['view', 'export', 'add', 'edit', 'remove', 'import']],
  [true, ['view', 'export']],
])('where nothing is changed any more (%s) a list offers %j', (isStill, offered) => {
  expect(still).toEqual([ExamStatus.archived])
  expect(offeredIn(examitems as never, abilities, isStill)).toEqual(offered)
})

test.each<[Resource, string, string]>([
  [examitems as never, 'signups,enableOn,enableOff', 'signups'],
  [signup as never, 'review,reveal,strike,restore,revoke,text,reduce,unlist', 'review,reveal,text'],
  [payrefund as never, 'approve,approveMany', 'approve,approveMany'],
  [postreductionname as never, 'choose,remind', ''],
  [examination as never, 'copyExam,archive,look', 'copyExam,archive,look'],
])('of the actions of $name (%#) those are offered there that the server takes', (resource, all, offered) => {
  const some = all.split(',')
  expect(offeredIn(resource, some, false)).toEqual(some)
  expect(offeredIn(resource, some, true).join()).toBe(offered)
})
