import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { Refine } from '@refinedev/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { text } from '#engine'
import { examWorkspace } from '#resources/exams/examination-workspace'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import type { FormItem } from '../../../exams/contract.ts'

const { dataProvider } = await import('../../../../screens/providers/data.ts')
const { default: FormBuilderPage } = await import('./FormBuilderPage.tsx')
const { PlaceContext } = await import('../../../../screens/workspace/place.ts')
const { ItemRows } = await import('./ItemRows.tsx')
const { FormPreview } = await import('./FormPreview.tsx')
const { PatternInput } = await import('../../../../screens/fields/PatternInput.tsx')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <App>{children}</App>
        </MemoryRouter>
      </QueryClientProvider>
    </ConfigProvider>,
  )

const item = (id: string, itemName: string, more: Partial<FormItem> = {}): FormItem => ({
  id,
  itemCode: `c${id}`,
  itemName,
  groupName: '',
  inputType: 1,
  dictCode: '',
  required: 0,
  enable: 1,
  sort: 1,
  span: '',
  applyTypes: '',
  showWhen: '',
  rules: '',
  columns: '',
  ...more,
})

beforeEach(() => {
  wire.seen = []
  wire.answer = () => ({ data: [] })
})

describe('the order of fields by the keys', () => {
  const items = [item('1', '姓名'), item('2', '专业'), item('3', '学历')]
  const handle = (name: RegExp) => screen.getByRole('button', { name })
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map(row => /姓名|专业|学历/.exec(row.textContent ?? '')?.[0])
  const arranged = () => wire.seen.filter(one => one.path.endsWith('/arrange'))

  test('a row is lifted, moved and put down: one call with the whole order, and it is said where it is', async () => {
    shown(<ItemRows items={items} />)
    handle(/移动姓名/).focus()
    await userEvent.keyboard(' {ArrowDown}{ArrowDown}')
    expect(names()).toEqual(['专业', '学历', '姓名'])
    expect(screen.getByText('姓名：第 3 位，共 3 位')).toBeInTheDocument()
    expect(handle(/移动姓名/)).toHaveFocus()
    expect(arranged()).toEqual([])
    await userEvent.keyboard(' ')
    await waitFor(() => expect(arranged()).toHaveLength(1))
    expect(arranged()[0]?.body).toEqual({ ids: '2,3,1' })
  })

  test('Escape puts it back, and so does putting it down where it was: nothing is sent', async () => {
    shown(<ItemRows items={items} />)
    handle(/移动学历/).focus()
    await userEvent.keyboard(' {Home}')
    expect(names()).toEqual(['学历', '姓名', '专业'])
    await userEvent.keyboard('{Escape}')
    expect(names()).toEqual(['姓名', '专业', '学历'])
    await userEvent.keyboard(' {ArrowUp}{ArrowDown} ')
    expect(names()).toEqual(['姓名', '专业', '学历'])
    expect(arranged()).toEqual([])
  })

  test('what is refused goes back', async () => {
    wire.answer = ({ path }) => (path.endsWith('/arrange') ? { code: 21011, msg: '考试已归档' } : { data: [] })
    shown(<ItemRows items={items} />)
    handle(/移动姓名/).focus()
    await userEvent.keyboard(' {End} ')
    await waitFor(() => expect(arranged()).toHaveLength(1))
    await waitFor(() => expect(names()).toEqual(['姓名', '专业', '学历']))
  })
})

test('a pattern is tried on a sample as the server would judge it: the whole text, without look-around', async () => {
  function Trial() {
    const [value, setValue] = useState<string | undefined>('')
    return <PatternInput id="p" name="regex" field={text('校验正则')} value={value} onChange={setValue} />
  }
  shown(<Trial />)
  const pattern = document.getElementById('p') as HTMLInputElement
  await userEvent.type(pattern, '[[A-Z]{{2}\\d+')
  const sample = await screen.findByLabelText('试一试：输入样例')
  await userEvent.type(sample, 'AB12')
  expect(await screen.findByText('匹配')).toBeVisible()
  await userEvent.type(sample, 'x')
  expect(await screen.findByText('不匹配')).toBeVisible()
  await userEvent.clear(pattern)
  await userEvent.type(pattern, 'a(?=b)')
  expect(await screen.findByText('校验正则不正确（不支持回溯引用和环视）')).toBeVisible()
})

test('the preview asks as the candidate is asked: a condition shows a field, a rule refuses an answer', async () => {
  const fresh = item('1', '应届', { itemCode: 'fresh', inputType: 5, dictCode: 'yes' })
  const unit = item('2', '现单位', {
    itemCode: 'unit',
    showWhen: { fresh: ['0'] },
    rules: { regex: '\\d+', regexMsg: '请填编号' },
  })
  const off = item('3', '停用项', { enable: 0 })
  const dicts = {
    yes: [
      { key: '1', value: '是' },
      { key: '0', value: '否' },
    ],
  }
  const exam = { id: '1', examName: '甲', examStatus: 0 as const }
  shown(<FormPreview form={{ exam, items: [fresh, unit, off], files: [], dicts }} />)
  expect(screen.queryByLabelText('现单位')).toBeNull()
  expect(screen.queryByText('停用项')).toBeNull()
  await userEvent.click(screen.getByText('否'))
  await userEvent.type(screen.getByLabelText('现单位'), '某医院')
  await userEvent.tab()
  expect(await screen.findByText('请填编号')).toBeVisible()
})

test('a file added or removed counts in its tab at once', async () => {
  const form = (files: number) => ({
    exam: { id: '9', examName: '甲', examStatus: 0 as const },
    items: [],
    dicts: {},
    files: Array.from({ length: files }, (_, i) => ({ id: String(i) })),
  })
  let rows = 1
  wire.answer = ({ path }) => {
    if (path.endsWith('/getFormInfo')) return { data: form(rows) }
    return {
      data: path.includes('/examsignfiles/') ? { records: [{ id: '0', fileName: '学历证书' }], total: rows } : [],
    }
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <MemoryRouter>
        <App>
          <Refine
            dataProvider={dataProvider}
            resources={[{ name: 'examsignfiles' }]}
            options={{ reactQuery: { clientConfig: client }, disableTelemetry: true }}
          >
            <QueryClientProvider client={client}>
              <PlaceContext value={{ workspace: examWorkspace, id: '9', page: 'form' }}>
                <FormBuilderPage />
              </PlaceContext>
            </QueryClientProvider>
          </Refine>
        </App>
      </MemoryRouter>
    </ConfigProvider>,
  )
  await userEvent.click(await screen.findByRole('tab', { name: /附件项 1/ }))
  await screen.findByText('学历证书')
  rows = 2
  await userEvent.click(screen.getByRole('button', { name: /刷新/ }))
  expect(await screen.findByRole('tab', { name: /附件项 2/ })).toBeInTheDocument()
})
