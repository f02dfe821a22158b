import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import { takeReturnState } from '../../../http/browser/sign-in-return.ts'

const { default: AuthorizePage } = await import('./AuthorizePage.tsx')
const { OutsideAccounts } = await import('./OutsideAccounts.tsx')
const { PublicFrame } = await import('../../../../screens/window/PublicFrame.tsx')
const { offerOutside } = await import('../../../../web/login/outside.ts')

const assign = vi.fn()
const asked = { response_type: 'code', client_id: 'shop', redirect_uri: 'https://shop.test/back', state: 's' }

beforeEach(() => {
  wire.seen = []
  assign.mockClear()
  sessionStorage.clear()
  vi.stubGlobal('location', { assign, origin: 'http://localhost', search: `?${new URLSearchParams(asked)}` })
})

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <MemoryRouter>{children}</MemoryRouter>
      </App>
    </ConfigProvider>,
  )

test.each([
  ['同意授权', true],
  ['不同意', false],
])('a program gets its answer from a press on %s, never from opening the page', async (button, approved) => {
  wire.answer = ({ path }) =>
    path.endsWith('/ask')
      ? { data: { clientId: 'shop', scope: 'all', host: 'shop.test' } }
      : { data: { address: 'https://shop.test/back?x' } }
  shown(<AuthorizePage />)
  expect(await screen.findByText(/「shop」（shop\.test）/)).toBeInTheDocument()
  expect(wire.seen.map(one => one.path)).toEqual(['/blade-auth/oauth/authorize/ask'])
  expect(wire.seen[0]?.query).toEqual(asked)
  fireEvent.click(screen.getByText(button))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://shop.test/back?x'))
  expect(wire.seen[1]?.body).toEqual({ ...asked, approved })
})

test('a program that is refused sends nobody anywhere', async () => {
  vi.stubGlobal('location', { assign, origin: 'http://localhost', search: '?client_id=shop&redirect_uri=evil' })
  wire.answer = () => ({ code: 29005, msg: '参数不正确：应用的回调地址未登记' })
  shown(<AuthorizePage />)
  expect(await screen.findByText('参数不正确：应用的回调地址未登记')).toBeInTheDocument()
  expect(screen.queryByText('同意授权')).toBeNull()
  expect(assign).not.toHaveBeenCalled()
})

test('own accounts elsewhere: what is linked can be unlinked, what is not can be linked', async () => {
  const one = (source: string, linked: number) => ({ source, sourceName: `源${source}`, linked, nickname: '我' })
  wire.answer = () => ({ data: [one('a', 1), one('b', 0)] })
  const { unmount } = shown(<PublicFrame>{<OutsideAccounts />}</PublicFrame>)
  expect(await screen.findByText('已绑定 我')).toBeInTheDocument()
  fireEvent.click(screen.getByLabelText('解除绑定 源a'))
  fireEvent.click(await screen.findByText('确定'))
  await waitFor(() => expect(wire.seen.map(({ path }) => path)).toContain('/blade-auth/oauth/unbind/a'))
  fireEvent.click(screen.getByLabelText('绑定 源b'))
  expect(await screen.findByLabelText('您的登录密码')).toBeInTheDocument()
  unmount()
})

test('the sign-in page offers what the tenant has, remembers where to go on, and shows no empty box', async () => {
  document.body.innerHTML = '<form><div id="demo"></div></form>'
  let sources = [{ source: 'idp', sourceName: '<b>统一认证' }]
  const fetched: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    fetched.push(address)
    return new Response(JSON.stringify({ code: 200, data: sources }))
  })
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('#outside button')]
  await offerOutside('000001', '/exam/list')
  expect(fetched).toEqual(['/api/blade-auth/oauth/sources?tenantId=000001'])
  expect(buttons().map(one => [one.textContent, one.type])).toEqual([['<b>统一认证', 'button']])
  buttons()[0]?.click()
  expect(assign).toHaveBeenCalledWith('/api/blade-auth/oauth/render/idp?tenantId=000001')
  expect(takeReturnState()).toEqual({ to: '/exam/list', tenantId: '000001' })
  sources = []
  await offerOutside('000002', '/')
  expect([buttons(), document.getElementById('outside')?.hidden]).toEqual([[], true])
  document.body.innerHTML = '<form><div id="demo"></div></form>'
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('down')))
  await offerOutside('000001', '/')
  expect(document.getElementById('outside')).toBeNull()
})
