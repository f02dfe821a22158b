import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, Form as Library } from 'antd'
import { type ReactNode, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { resources } from '#resources'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { inputs } from './fields/inputs.tsx'
import { type FormRows, rowsBody, startRows } from './form-rows.ts'
import { drawnSchema } from './form-schema.ts'
import { startValues } from './form-values.ts'
import RecordForm from './RecordForm.tsx'

function Around({ children }: { children: ReactNode }) {
  return (
    <App>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </App>
  )
}

async function show(
  name: string,
  row: Record<string, unknown> | null = null,
  refused: Record<string, string> = {},
  rows: readonly FormRows[] = [],
) {
  const resource = resources.find(one => one.name === name)
  if (!resource) throw new Error(name)
  const submit = vi.fn()
  const inputs = new Set<string>(resource.form.flatMap(group => group.inputs.map(({ field }) => field)))
  const typed = Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => inputs.has(name)))
  function Form() {
    const [values, setValues] = useState<Record<string, unknown>>({ ...typed, ...startRows(rows) })
    return (
      <RecordForm
        prefix="root"
        resource={resource as NonNullable<typeof resource>}
        row={row}
        rows={rows}
        values={values}
        onChange={setValues}
        onSubmit={submit}
        refused={refused}
      >
        <button type="submit">save</button>
      </RecordForm>
    )
  }
  render(<Form />, { wrapper: Around })
  return submit
}

const input = (name: string) => document.querySelector<HTMLInputElement>(`#root_${name}`) as HTMLInputElement
const alerts = () => screen.queryAllByRole('alert').map(one => one.textContent)
const save = () => userEvent.click(screen.getByText('save'))

test('an input that was left empty says so; those not reached yet do not', async () => {
  await show('param')
  expect(alerts()).toEqual([])
  fireEvent.blur(input('paramName'))
  await waitFor(() => expect(alerts()).toEqual(['请输入参数名称']))
  expect(input('paramName').getAttribute('aria-invalid')).toBe('true')
  fireEvent.blur(input('paramKey'))
  fireEvent.blur(input('paramValue'))
  await waitFor(() => expect(alerts()).toEqual(['请输入参数名称', '请输入参数键名', '请输入参数键值']))
  await userEvent.type(input('paramName'), 'a')
  await waitFor(() => expect(alerts()).toEqual(['请输入参数键名', '请输入参数键值']))
})

test('a submit with something missing shows everything, goes to the first and is not sent', async () => {
  const submit = await show('param')
  await save()
  await waitFor(() => expect(alerts()).toHaveLength(3))
  expect(document.activeElement).toBe(input('paramName'))
  expect(submit).not.toHaveBeenCalled()
})

test('a submit with everything is sent as it was typed', async () => {
  const submit = await show('param')
  await userEvent.type(input('paramName'), '名')
  await userEvent.type(input('paramKey'), 'k')
  await userEvent.type(input('paramValue'), 'v')
  await save()
  await waitFor(() => expect(submit).toHaveBeenCalledWith({ paramName: '名', paramKey: 'k', paramValue: 'v' }))
})

test('what the server refused stands at its input without being touched', async () => {
  await show('param', { id: '1', paramName: 'a', paramKey: 'b', paramValue: 'c' }, { paramKey: '参数键名已存在' })
  expect(alerts()).toEqual(['参数键名已存在'])
})

test('groups have headings, and an input waits for its condition', async () => {
  await show('examination', { needPay: 0 })
  expect(screen.getByText('报名与审核')).toBeTruthy()
  expect(input('payStartTime')).toBeNull()
  await userEvent.click(input('needPay'))
  await waitFor(() => expect(input('payStartTime')).not.toBeNull())
})

describe('times that follow from another one', () => {
  const row = { id: '1', examStartTime: '2027-02-20 09:00:00', signStartTime: '2027-01-05 09:00:00', needPay: 0 }
  const suggestions = () =>
    [...document.querySelectorAll('.form-suggestion')].map(one => one.textContent?.replace('采用', ''))

  async function suggesting(changes = '-') {
    wire.answer = ({ path }) =>
      path.endsWith('/suggesting') ? { data: { daysOff: '2027-01-12', changes } } : { data: [] }
    await show('examination', row)
    await waitFor(() => expect(suggestions()).not.toEqual([]))
  }

  test('are suggested where nothing is entered, and taken one by one', async () => {
    await suggesting('modifyEndTime=2')
    expect(suggestions().slice(0, 3)).toEqual([
      '建议 2027-01-13 周三 17:00',
      '建议 2027-01-15 周五 17:00',
      '建议 2027-01-18 周一 17:00',
    ])
    await userEvent.click(screen.getAllByRole('button', { name: '采用' })[0] as HTMLElement)
    await waitFor(() => expect(input('signEndTime').value).toBe('2027-01-13 17:00:00'))
    expect(suggestions()).not.toContain('建议 2027-01-13 周三 17:00')
    expect(input('modifyEndTime').value).toBe('')
  })

  test('are taken all at once, but for those that were entered', async () => {
    await suggesting()
    await userEvent.click(screen.getByRole('button', { name: '全部采用' }))
    await waitFor(() => expect(suggestions()).toEqual([]))
    expect(input('signStartTime').value).toBe('2027-01-05 09:00:00')
    expect(input('ticketStartTime').value).toBe('2027-02-15 09:00:00')
  })

  test('are asked later where their phase has not come, unless somebody opens them', async () => {
    await suggesting()
    expect(input('resultTime')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '现在填写' }))
    await waitFor(() => expect(input('resultTime')).not.toBeNull())
    cleanup()
    await show('examination', { ...row, examEndTime: '2020-01-01 09:00:00' })
    expect(input('resultTime')).not.toBeNull()
  })

  test('are asked once the row is there where they wait for that', async () => {
    await show('mail')
    expect(input('dkimDomain')).toBeNull()
    expect(screen.getByText('保存后再填')).toBeTruthy()
    cleanup()
    await show('mail', { id: '1', fromAddress: 'a@example.org', createTime: '2026-01-01 09:00:00' })
    expect(input('dkimDomain')).not.toBeNull()
  })
})

test('a letter draws the input it is typed into, and nothing beside it', async () => {
  const drawn = inputs as unknown as Record<'text' | 'integer', (props: { name: string }) => ReactNode>
  const frames = vi.spyOn(Library, 'Item')
  const lines = vi.spyOn(drawn, 'text')
  const numbers = vi.spyOn(drawn, 'integer')
  await show('examination')
  expect(numbers).toHaveBeenCalled()
  for (const spy of [frames, lines, numbers]) spy.mockClear()
  fireEvent.change(input('examName'), { target: { value: '招' } })
  expect(input('examName').value).toBe('招')
  expect(new Set(lines.mock.calls.map(([{ name }]) => name))).toEqual(new Set(['examName']))
  expect(numbers).not.toHaveBeenCalled()
  expect(frames).not.toHaveBeenCalled()
  for (const spy of [frames, lines, numbers]) spy.mockRestore()
})

test('a field that is required on a condition is hidden without it, and asked for with it', async () => {
  const row = { id: '1', codeName: '甲', serviceName: '乙', packageName: 'a.b', baseMode: 0, wrapMode: 0 }
  const submit = await show('code', { ...row, templateType: 'sub' })
  expect(input('subFkId').closest('.ant-form-item')?.querySelector('.ant-form-item-required')).not.toBeNull()
  expect(input('treeId')).toBeNull()
  await save()
  await waitFor(() => expect(alerts()).toEqual(['请选择子表模型', '请输入子表外键']))
  expect(submit).not.toHaveBeenCalled()
  cleanup()
  const plain = await show('code', { ...row, templateType: 'crud' })
  expect(input('subFkId')).toBeNull()
  await save()
  await waitFor(() => expect(plain).toHaveBeenCalled())
})

test('an instant that is the moment of the insert is left to the server', async () => {
  const notice = resources.find(one => one.name === 'notice') as Resource
  expect(startValues(notice, null)).not.toHaveProperty('releaseTime')
  expect(drawnSchema(notice).required).not.toContain('releaseTime')
})

describe('rows of another resource in a form', () => {
  const scope = resources.find(one => one.name === 'api-scope') as Resource
  const child = { label: '接口权限', resource: 'api-scope', by: 'menuId', in: 'form' } as const
  const form = scope.form.map(group => ({ ...group, inputs: group.inputs.filter(({ field }) => field !== 'menuId') }))
  const known = { resourceCode: 'a:1', scopeName: '甲', scopePath: '/api/a', scopeType: 1 }
  const held = (may: Partial<FormRows['may']> = {}): readonly FormRows[] => [
    {
      child,
      resource: { ...scope, form },
      before: [
        { id: '1', ...known },
        { id: '2', ...known, resourceCode: 'a:2' },
      ],
      may: { add: true, edit: true, remove: true, ...may },
    },
  ]
  const menu = { id: '9', name: '表', code: 'x', alias: 'x', sort: 1, category: 1 }
  const cell = (at: number, name: string) => input(`api-scope_${at}_${name}`)

  test('are checked each by the rules of its own, and told of at its place', async () => {
    const submit = await show('menu', menu, {}, held())
    await userEvent.click(screen.getByText('新增一行'))
    expect(cell(2, 'resourceCode')).toBeTruthy()
    await save()
    await waitFor(() =>
      expect(alerts()).toEqual(['请输入权限名称', '请输入资源编号', '请选择接口类型', '请输入接口地址']),
    )
    await userEvent.clear(cell(0, 'scopeName'))
    await waitFor(() => expect(alerts()).toHaveLength(5))
    expect(cell(0, 'scopeName').getAttribute('aria-invalid')).toBe('true')
    expect(submit).not.toHaveBeenCalled()
  })

  test('carry what the server says of one of them', async () => {
    await show('menu', menu, { 'api-scope.1.resourceCode': '资源编号已存在' }, held())
    expect(alerts()).toEqual(['资源编号已存在'])
    expect(cell(1, 'resourceCode').getAttribute('aria-describedby')).toBe('root_api-scope_1_resourceCode__message')
  })

  test('are sent as what has become of them', async () => {
    const rows = held()
    const submit = await show('menu', menu, {}, rows)
    await userEvent.type(cell(1, 'scopeName'), '二')
    await userEvent.click(screen.getByRole('button', { name: '删除 1' }))
    await save()
    await waitFor(() => expect(submit).toHaveBeenCalled())
    expect(rowsBody(rows, submit.mock.calls[0]?.[0])).toEqual({
      'api-scope': [
        { id: '2', scopeName: '甲二' },
        { id: '1', isDeleted: 1 },
      ],
    })
    expect(rowsBody(rows, startRows(rows))).toEqual({})
  })

  test('stay as they are for whoever may not change them', async () => {
    await show('menu', menu, {}, held({ add: false, edit: false, remove: false }))
    expect(cell(0, 'scopeName').disabled).toBe(true)
    expect([screen.queryByText('新增一行'), screen.queryByRole('button', { name: '删除 1' })]).toEqual([null, null])
  })
})
