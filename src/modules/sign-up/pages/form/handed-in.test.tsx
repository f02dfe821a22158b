import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'

const { default: FormPage } = await import('./FormPage.tsx')
const { SignupPage } = await import('../mine/SignupPage.tsx')

const draft = { id: '7', version: 1, signStatus: 0, examine: 0, unit: 'u', code: 'A', content: {}, files: [] }
let mine: object = draft

const form = () => ({
  exam: { examId: '9', examName: '甲', ageBaseDate: '2026-12-01' },
  notice: '',
  promise: '',
  consentVersion: '1',
  items: [],
  groups: [],
  files: [],
  positions: [],
  numTime: '',
  dicts: {},
  applicant: { realName: '张三', idCard: '', phone: '', sex: 1, birthday: '', complete: true },
  mySignup: mine,
  canEdit: true,
  editReason: '',
  editScope: [],
  deadline: '',
  serverTime: '2026-11-20 08:00:00',
})
const signup = {
  id: '7',
  examId: '9',
  examName: '甲',
  signNo: 'N7',
  signStatus: 1,
  examine: 0,
  steps: [],
  line: [],
  nextStep: 'WAIT',
}

beforeEach(() => {
  sessionStorage.clear()
  mine = draft
  globalThis.scrollTo = () => undefined
  wire.answer = ({ path }) => {
    if (path.endsWith('/getExamInfoOrSignUpInfo')) return { data: form() }
    if (path.endsWith('/myExamList')) return { data: { records: [signup], total: 1 } }
    if (path.endsWith('/detail')) return { data: { groups: [], files: [] } }
    if (path.endsWith('/submit')) {
      mine = { ...draft, signStatus: 1, version: 2 }
      return { data: { ...mine, signNo: 'N7', submitTime: '2026-11-20 08:00:00' } }
    }
    return { data: [] }
  }
})

const open = () => {
  const router = createMemoryRouter(
    [
      { path: '/', element: <Link to="/signup/form/9?step=4">填表</Link> },
      { path: '/signup/form/:examId', element: <FormPage /> },
      { path: '/signup/mySignup/:id', element: <SignupPage parts={[]} /> },
    ],
    { initialEntries: ['/'] },
  )
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>
    </ConfigProvider>,
  )
  return router
}

test('after handing in, the sign-up stands in the place of the form: back does not show the form again', async () => {
  const router = open()
  await userEvent.click(screen.getByText('填表'))
  // A step before stands in the history, too.
  await screen.findByRole('button', { name: '提交报名' })
  await act(() => router.navigate('/signup/form/9?step=3'))
  await act(() => router.navigate('/signup/form/9?step=4'))
  await userEvent.click(await screen.findByRole('checkbox', { name: /我已阅读并同意/ }))
  await userEvent.click(screen.getByRole('button', { name: '提交报名' }))
  expect(await screen.findByText('报名已提交')).toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/signup/mySignup/7')

  await act(() => router.navigate(-1))
  expect(await screen.findByText(/N7/)).toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/signup/mySignup/7')
  expect(screen.queryByRole('button', { name: '提交报名' })).toBeNull()
})

test('the form of a sign-up that was handed in leads to it; to change it is asked for, also after a reload', async () => {
  mine = { ...draft, signStatus: 1, version: 2 }
  sessionStorage.setItem('juxian-handed-in', '9')
  const router = open()
  await userEvent.click(screen.getByText('填表'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/signup/mySignup/7'))
  expect(screen.queryByRole('button', { name: '提交报名' })).toBeNull()
  await act(() => router.navigate('/signup/form/9?edit=1&step=4'))
  expect(await screen.findByRole('button', { name: '提交报名' })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '上一步' }))
  expect(router.state.location.search).toBe('?edit=1&step=3')
  expect(sessionStorage.getItem('juxian-handed-in')).toBeNull()
})
