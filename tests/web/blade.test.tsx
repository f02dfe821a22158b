import { act, cleanup, configure, render } from '@testing-library/react'
import { AxiosError, type InternalAxiosRequestConfig } from 'axios'
import Fastify, { type FastifyInstance } from 'fastify'
import { BrowserRouter } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import clock from '../../src/server/plugins/clock.ts'
import envelope from '../../src/server/plugins/envelope.ts'
import gateway from '../../src/server/plugins/gateway.ts'
import { Appearance } from '../../src/web/chrome/Appearance.tsx'
import { ErrorBoundary } from '../../src/web/chrome/ErrorBoundary.tsx'
import { startLanguage } from '../../src/web/i18n.ts'
import { loadRights, reloadRights } from '../../src/web/providers/rights.ts'
import { AppRoutes } from '../../src/web/routes.tsx'
import { session, type TokenAnswer } from '../../src/web/session.ts'
import { bladeServer, known } from '../helper/blade.ts'

/** Our pages in front of a Blade server that knows the calls of the table and no others. */

/** What jsdom lacks of a browser: the pages ask for it while they are loaded. */
await vi.hoisted(async () => {
  const { default: axios } = await import('axios')
  axios.defaults.adapter = config => (globalThis as unknown as { wire: (given: typeof config) => never }).wire(config)
  class Observer {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): [] {
      return []
    }
  }
  const listen = {
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }
  Object.assign(globalThis, {
    ...{ ResizeObserver: Observer, IntersectionObserver: Observer, scrollTo: () => undefined },
    matchMedia: (media: string) => ({ matches: false, media, ...listen }),
  })
  Element.prototype.scrollIntoView = () => undefined
})
configure({ asyncUtilTimeout: 10_000 })

const staff = bladeServer()
let door: FastifyInstance
let running = 0
let broken: string[] = []
let shown = ''

/** The same seam as in other tests of pages; behind it stands the gateway, and behind that the other server. */
function connect(): void {
  const wire = async (config: InternalAxiosRequestConfig) => {
    const { method = 'get', url = '', params, data, headers, responseType } = config
    const query = new URLSearchParams(JSON.parse(JSON.stringify(params ?? {})) as Record<string, string>)
    running++
    try {
      const answer = await door.inject({
        ...{ method: method.toUpperCase() as 'GET', url: `/api${url}?${query}` },
        headers: headers.toJSON() as Record<string, string>,
        ...(data !== undefined && { payload: String(data) }),
      })
      const type = String(answer.headers['content-type'] ?? '')
      const body =
        responseType === 'blob'
          ? new Blob([answer.payload], { type })
          : type.includes('json')
            ? answer.json()
            : answer.payload
      const reply = { data: body, status: answer.statusCode, statusText: '', headers: answer.headers, config }
      if (config.validateStatus && !config.validateStatus(answer.statusCode))
        throw new AxiosError('status', 'ERR', config)
      return reply as never
    } finally {
      running--
    }
  }
  Object.assign(globalThis, { wire })
}

const tokenOf = (userType: number): TokenAnswer =>
  ({
    ...{ tenant_id: '000000', user_id: '7', account: known.account, user_name: known.account, real_name: '管理员' },
    ...{ role_name: userType === 2 ? 'candidate' : 'administrator', dept_id: '1', role_id: '1', avatar: '', userType },
    ...{ access_token: 'blade', refresh_token: 'again' },
  }) as TokenAnswer

beforeAll(async () => {
  const bladeApi = await staff.app.listen({ port: 0, host: '127.0.0.1' })
  door = Fastify({ exposeHeadRoutes: false })
  await door.register(clock, { config: { now: () => new Date() } as never })
  await door.register(envelope)
  await door.register(gateway, { bladeApi, bladeClient: known.client, bladePublicKey: staff.publicKey })
  await door.ready()
  connect()
  await startLanguage()
  addEventListener('error', event => broken.push(String(event.error ?? event.message)))
  addEventListener('unhandledrejection', event => broken.push(String(event.reason)))
})
afterAll(async () => {
  await door.close()
  await staff.app.close()
})
afterEach(cleanup)

const pause = (time: number) => new Promise(done => setTimeout(done, time))

/** Waits until nothing has been asked for a moment. */
async function quiet(): Promise<void> {
  for (let calm = 0, left = 300; calm < 4 && left > 0; left--) {
    await act(() => pause(25))
    calm = running === 0 && !document.querySelector('.skeleton') ? calm + 1 : 0
  }
}

/** What a person must never meet because the other server lacks a call. */
const troubles = [
  '页面出错了',
  '数据没有加载出来',
  '系统错误',
  '没找到请求',
  '加载失败',
  '没有加载',
  'NaN',
  'undefined',
  'Invalid Date',
  '暂时连不上',
]

/** What is wrong with a page as it stands. */
function wrongWith(): string[] {
  const text = document.body.textContent ?? ''
  const found = troubles.filter(one => text.includes(one))
  const spinning = document.querySelector('.ant-spin-spinning, .skeleton, .ant-skeleton-active')
  const errors = [...document.querySelectorAll('.ant-message-error, .ant-result-error, .ant-alert-error')]
  return [
    ...found,
    ...(spinning ? [`waits: ${spinning.className}`] : []),
    ...errors.map(one => `error: ${one.textContent}`),
    ...(text.trim().length < 2 ? ['empty'] : []),
    ...broken,
  ]
}

async function open(address: string): Promise<string[]> {
  broken = []
  document.body.replaceChildren()
  history.replaceState({ idx: 0 }, '', address)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <Appearance>
      <ErrorBoundary>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
    </Appearance>,
  )
  await quiet()
  const wrong = wrongWith()
  shown = document.body.textContent ?? ''
  cleanup()
  return wrong
}

/** Pages of each kind: with all their calls in the table, with some, and with none. */
const ofStaff = [
  ...['/wel/index', '/info/index', '/system/param', '/system/dept', '/statistics/index', '/ticket/allot', '/work/todo'],
  ...['/exam/examroom', '/pay/refund', '/log/audit', '/develop/model/fields/1'],
]
const ofCandidates = ['/wel/index', '/signup/notice']

describe('staff', () => {
  beforeAll(() => {
    session.begin(tokenOf(1))
    loadRights()
  })
  test.each(ofStaff)('%s does not fail', async address => {
    expect(await open(address)).toEqual([])
  })
})

describe('candidates', () => {
  beforeAll(async () => {
    session.begin(tokenOf(2))
    await reloadRights()
  })
  test.each(ofCandidates)('%s does not fail', async address => {
    expect(await open(address)).toEqual([])
  })
})

test('what the table lacks is said with one quiet word, and never with an error', async () => {
  session.begin(tokenOf(1))
  await reloadRights()
  staff.unknown.splice(0)
  expect(await open('/exam/importtask')).toEqual([])
  expect(staff.unknown).toContain('GET /blade-exam/importtask/page')
  expect(shown.match(/所连接的系统没有此功能/g)).toHaveLength(1)
  // What it has is shown as ever.
  expect(await open('/system/param')).toEqual([])
  expect(shown).toContain('参数名称1')
})
