import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../tests/helper/screens-wire.ts'

const { default: FieldsPage } = await import('./FieldsPage.tsx')

const shown = (children: ReactNode, path = '/', at = '/') =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter initialEntries={[at]}>
            <Routes>
              <Route path={path} element={children} />
            </Routes>
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

beforeEach(() => {
  wire.seen = []
})

const field = (jdbcName: string, id: string) => ({
  id,
  modelId: '7',
  jdbcName,
  jdbcType: 'varchar',
  jdbcComment: '',
  propertyName: jdbcName,
  propertyType: 'String',
  propertyEntity: 'java.lang.String',
  isList: 1,
  isForm: 1,
  isRow: 0,
  isRequired: 0,
  isQuery: 0,
  componentType: 'input',
  dictCode: '',
  queryType: '',
})

test('the fields of a model are saved as a whole, in the order seen', async () => {
  wire.answer = ({ path }) => {
    if (path.includes('model/detail'))
      return { data: { modelName: '考场', modelTable: 'room', datasourceIdName: '本' } }
    return {
      data: path.endsWith('model-prototype') ? [field('a', '1'), field('b', '')] : {},
    }
  }
  shown(<FieldsPage />, '/develop/model/fields/:id', '/develop/model/fields/7')
  await userEvent.type(await screen.findByLabelText('注释 b'), '第二')
  await userEvent.click(screen.getByLabelText('必填 a'))
  await userEvent.click(screen.getByLabelText('上移 b'))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(wire.seen.some(one => one.path.includes('submit-list'))).toBe(true))
  const sent = wire.seen.find(one => one.path.includes('submit-list'))?.body
  expect(sent).toMatchObject([
    { jdbcName: 'b', jdbcComment: '第二', id: '' },
    { jdbcName: 'a', isRequired: 1, id: '1' },
  ])
})
