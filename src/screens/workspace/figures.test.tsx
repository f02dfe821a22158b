import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { examWorkspace } from '#resources/exams/examination-workspace'
import { figureAddress } from './figure-address.ts'
import { PlaceTabs } from './PlaceTabs.tsx'
import { TrendPanel } from './TrendPanel.tsx'

const place = { workspace: examWorkspace, id: '7', page: '' }
const lines = new Map(examWorkspace.today.map(line => [line.title, line]))

test.each([
  ['待您审核', '/exam/7/review?chip=all', '去审核'],
  ['待审核', '/exam/7/signups?signStatus=1&examine=0', '看名单'],
  ['不能编排', `/exam/7/signups?chip=${encodeURIComponent('不能编排')}`, '看名单'],
  ['待批准的退款', '/exam/7/refunds?refundStatus=0', '去批准'],
])('%s leads to %s', (title, address, verb) => {
  const line = lines.get(title)!
  expect([figureAddress(place, line), line.verb]).toEqual([address, verb])
})

const pages = examWorkspace.pages
  .filter(({ name }) => ['signups', 'review', 'positions'].includes(name))
  .map(page => ({ page, title: page.name, menu: '/' }))

test('tabs count each row once, and not what only stands in the way', () => {
  const today = [
    { title: '待您审核', count: 4, oldest: '' },
    { title: '待审核', count: 9, oldest: '' },
    { title: '不能编排', count: 27, oldest: '' },
  ]
  render(
    <MemoryRouter>
      <PlaceTabs
        place={{ ...place, page: 'signups' }}
        pages={pages}
        answer={{ today, label: '考试' } as never}
        missing={[]}
      />
    </MemoryRouter>,
  )
  expect(screen.getAllByRole('link').map(link => link.textContent)).toEqual([
    '概览',
    '准备',
    '报名9',
    'signups9',
    'review4',
  ])
})

test('numbers below those that came lead to their lists', () => {
  const numbers = [
    { title: '通过', count: 412 },
    { title: '计划', count: 160 },
    { title: '不足比例岗位', count: 23 },
  ]
  const trend = { count: 666, days: [{ day: '2026-11-22', count: 38 }], today: '2026-11-22', numbers }
  render(
    <MemoryRouter>
      <TrendPanel place={place} trend={trend} pages={pages} />
    </MemoryRouter>,
  )
  expect(screen.getAllByRole('link').map(link => [link.textContent, link.getAttribute('href')])).toEqual([
    ['666', '/exam/7/signups'],
    ['通过 412', '/exam/7/signups?signStatus=1&examine=1'],
    ['计划 160', '/exam/7/positions?enable=1'],
    ['不足比例岗位 23', `/exam/7/positions?chip=${encodeURIComponent('不足比例')}`],
  ])
})
