import '@testing-library/jest-dom/vitest'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { JobWorkflowNode } from '#schemas/jobs/job-workflow-node'
import '../../../tests/helper/screens-page.tsx'
import { FieldInput } from './inputs.tsx'
import JobGraph from './JobGraph.tsx'

let kept: string | undefined

function Before({ rows, value: initial }: { rows: readonly { nodeName?: string }[]; value?: string }) {
  const [value, setValue] = useState<unknown>(initial)
  kept = value as string | undefined
  return (
    <App>
      <FieldInput
        as="nodesBefore"
        id="before"
        name="afterNodes"
        field={JobWorkflowNode.properties.afterNodes}
        value={value}
        onChange={setValue}
        rows={rows}
      />
    </App>
  )
}

test('the nodes before one are chosen among the other rows of the table, as they are called now', async () => {
  render(<Before rows={[{ nodeName: '取数' }, { nodeName: '核对' }, {}]} value="旧名" />)
  expect(screen.getByText('旧名（不存在）')).toBeVisible()
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('取数'))
  await userEvent.click(await screen.findByTitle('核对'))
  expect(kept).toBe('旧名,取数,核对')
  await userEvent.click(screen.getAllByTitle('旧名（不存在）').at(-1) as HTMLElement)
  expect(kept).toBe('取数,核对')
})

test('nodes are drawn from left to right, each behind the farthest that it waits for', () => {
  const nodes = [
    { name: 'D', job: 'd', after: ['B', 'C'] },
    { name: 'A', job: 'a', after: [] },
    { name: 'B', job: 'b', after: ['A'] },
    { name: 'C', job: 'c', after: ['B'] },
  ]
  const { container } = render(<JobGraph title="节点" nodes={nodes} />)
  const items = within(screen.getByRole('region', { name: '节点' })).getAllByRole('listitem')
  const left = Object.fromEntries(items.map(item => [item.querySelector('strong')?.textContent, item.style.left]))
  const columns = ['A', 'B', 'C', 'D'].map(name => Number.parseInt(left[name] ?? '', 10))
  expect(columns).toEqual([...columns].toSorted((a, b) => a - b))
  expect(new Set(columns).size).toBe(4)
  expect(container.querySelectorAll('g')).toHaveLength(4)
})

test('a circle, which no workflow has, is drawn, too', () => {
  const nodes = [
    { name: 'A', job: 'a', after: ['B'] },
    { name: 'B', job: 'b', after: ['A'] },
  ]
  render(<JobGraph title="节点" nodes={nodes} />)
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})
