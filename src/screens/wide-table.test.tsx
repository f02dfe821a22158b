import '../../tests/helper/screens-page.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { usePaging } from './paging.tsx'
import { WideTable } from './WideTable.tsx'

const rows = Array.from({ length: 40 }, (_, n) => ({ id: String(n), name: `岗位${n}` }))

function Posts() {
  const paging = usePaging()
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <>
      <output>{chosen.join()}</output>
      <WideTable
        label="岗位"
        rowKey="id"
        width={400}
        columns={[{ dataIndex: 'name', title: '名称' }]}
        dataSource={rows}
        pagination={{ ...paging, defaultPageSize: 10 }}
        rowSelection={{ selectedRowKeys: chosen, onChange: keys => setChosen(keys.map(String)) }}
      />
    </>
  )
}

test('rows are chosen one by one and all at once by boxes that have names', async () => {
  render(<Posts />)
  await userEvent.click(screen.getByRole('checkbox', { name: '选择第 2 行' }))
  expect(screen.getByRole('status').textContent).toBe('1')
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: '选择全部' })
  expect(all.indeterminate).toBe(true)
  await userEvent.click(all)
  expect(screen.getByRole('status').textContent?.split(',')).toHaveLength(10)
})

test('the size of a page is a list once somebody touches it, and another one counts', async () => {
  render(<Posts />)
  await userEvent.hover(screen.getByRole('textbox', { name: '每页显示' }))
  await userEvent.click(await screen.findByRole('combobox', { name: '每页显示' }))
  await userEvent.click(await screen.findByText('30 条/页'))
  expect(screen.getAllByRole('checkbox', { name: /第/ })).toHaveLength(30)
})
