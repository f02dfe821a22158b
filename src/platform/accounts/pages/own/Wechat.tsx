import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { Qr } from '../../../../screens/candidate/Qr.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { beginWechat, confirmVisit, confirmWechat, unbindWechat, wechatTicket } from '../../contract.ts'
import { factorRefusals } from './factor.ts'
import { ProofForm } from './ProofForm.tsx'
import { type Channel, Way } from './Way.tsx'
import './info.css'

type Ticket = AnswerOf<typeof beginWechat>

/** Refusals that belong to the field of the password. */
const pass = Object.keys(factorRefusals).map(Number)

/** Whether the page is open inside WeChat, which then says itself who has opened it. */
const isInside = (): boolean => /MicroMessenger/i.test(navigator.userAgent)

/** What WeChat has led back with to this page, and forgetting it. */
function useVisit() {
  const [query, setQuery] = useSearchParams()
  const [id, code] = [query.get('state') ?? '', query.get('code') ?? '']
  const forget = (): void => {
    setQuery(
      before => {
        const rest = new URLSearchParams(before)
        for (const name of ['state', 'code']) rest.delete(name)
        return rest
      },
      { replace: true },
    )
  }
  return { visit: id && code ? { id, code } : null, forget }
}

/** Asks whether the WeChat that has led back here is to be bound to the account that is signed in. */
function Visit({ of, onEnd }: { of: { id: string; code: string }; onEnd: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const who = session.get()
  const confirm = (): void => {
    setBusy(true)
    // A refusal has been shown; what WeChat led back with is spent either way.
    call(confirmVisit, of)
      .then(() => void message.success(t('微信已绑定')))
      .catch(() => undefined)
      .finally(onEnd)
  }
  return (
    <div className="channel-confirm">
      <p role="status">
        {t('把打开本页的微信绑定到账号 {{name}}？请核对是您本人的账号。', {
          name: who?.real_name || who?.nick_name || '',
        })}
      </p>
      <div className="my-words">
        <Button type="primary" size="large" loading={busy} onClick={confirm}>
          {t('确认绑定')}
        </Button>
        <Button size="large" onClick={onEnd}>
          {t('取消')}
        </Button>
      </div>
    </div>
  )
}

/** The QR code until it is scanned, then the field for the code that WeChat has shown. */
function Scan({ of, onDone, onAgain }: { of: Ticket; onDone: () => void; onAgain: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const progress = useContract(wechatTicket, { id: of.id }, { every: 2000 })
  const state = progress.data?.state ?? 'waiting'
  const confirm = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (!/^\d{6}$/.test(code)) return setProblem(t('请输入6位确认码'))
    setBusy(true)
    setProblem('')
    try {
      await call(confirmWechat, { id: of.id, code }, { pass: [REFUSAL.accounts.wechatCodeWrong] })
      void message.success(t('微信已绑定'))
      onDone()
    } catch (error) {
      // Other refusals have been shown.
      if (error instanceof ApiError && error.code === REFUSAL.accounts.wechatCodeWrong) setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  if (state === 'over')
    return (
      <div className="channel-confirm" role="status">
        <p>{t('二维码已失效。')}</p>
        <Button size="large" type="primary" onClick={onAgain}>
          {t('重新获取二维码')}
        </Button>
      </div>
    )
  if (state === 'waiting')
    return (
      <div className="factor-setup">
        {isInside() && (
          <div className="channel-confirm">
            <Button type="primary" size="large" href={of.inside}>
              {t('绑定当前微信')}
            </Button>
            <p className="my-quiet">{t('要绑定另一部手机的微信，用它扫描二维码。')}</p>
          </div>
        )}
        <Qr text={of.url} label={t('绑定微信的二维码')} />
        <div className="my">
          <p role="status">
            {t('用您本人的微信扫描二维码并关注公众号，微信中会显示一个确认码。二维码 5 分钟内有效。')}
          </p>
          {!isInside() && (
            <p className="my-quiet">
              {t(
                '在手机上办理：在微信中打开本网站，可以直接绑定；或截屏保存二维码，在微信「扫一扫」中从相册选取。请勿让他人拍下二维码。',
              )}
            </p>
          )}
          {of.sandbox && (
            <>
              <a href={of.sandbox} target="_blank" rel="noopener">
                {t('演示环境：在这里扫描')}
              </a>
              <a href={of.inside}>{t('演示环境：如同在微信中打开')}</a>
            </>
          )}
        </div>
      </div>
    )
  return (
    <form className="channel-confirm" onSubmit={event => void confirm(event)} noValidate>
      <p role="status">{t('二维码已被扫描。请核对微信中显示的是您的账号，并输入微信中显示的确认码。')}</p>
      <p className="my-quiet">{t('您的微信没有收到确认码时，二维码可能被他人扫描，请重新获取。')}</p>
      <Entry
        id="wechatCode"
        label={t('微信确认码')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        value={code}
        problem={problem}
        onChange={event => setCode(event.target.value.trim())}
      />
      <div className="my-words">
        <Button htmlType="submit" type="primary" size="large" loading={busy}>
          {t('确认绑定')}
        </Button>
        <Button size="large" onClick={onAgain}>
          {t('重新获取二维码')}
        </Button>
      </div>
    </form>
  )
}

/** WeChat as a way to be reached: bound by a QR code and a code, changed with the password, taken away at any time. */
export function Wechat({ of, onChange }: { of: Channel; onChange: () => void }): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const [ticket, setTicket] = useState<Ticket>()
  const [isAsked, setIsAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const { visit, forget } = useVisit()
  const begin = async (proof: { password?: string; keyId?: string } = {}): Promise<void> => {
    setTicket(await call(beginWechat, proof, { pass }))
    setIsAsked(false)
  }
  const make = (): void => {
    setBusy(true)
    // The refusal has been shown.
    void begin()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  /** Whoever is bound proves first that another WeChat is meant. */
  const first = (): void => {
    setTicket(undefined)
    if (of.isConfirmed) setIsAsked(true)
    else make()
  }
  const prove = async (password: string): Promise<void> => {
    const { keyId, texts } = await encrypted([password])
    await begin({ password: texts[0] ?? '', ...(keyId && { keyId }) })
  }
  const done = (): void => {
    setTicket(undefined)
    onChange()
  }
  const unbind = (): void => {
    const onOk = () =>
      call(unbindWechat, {}).then(
        () => {
          void message.success(t('微信已解除绑定'))
          onChange()
        },
        () => undefined,
      )
    modal.confirm({
      title: t('解除绑定微信？'),
      content: t('解除后立即清除绑定的微信，不再收到微信消息。'),
      okText: t('解除绑定'),
      cancelText: t('取消'),
      onOk,
    })
  }
  const note = of.isOffered ? '消息同时发到您的微信，点开即可办理。' : '本机构未开通微信，消息只在站内。'
  return (
    <Way of={{ ...of, address: '' }} title="微信" note={note} onChange={onChange}>
      {of.isConfirmed && of.confirmTime && <p>{t('已绑定，{{time}}', { time: of.confirmTime })}</p>}
      {isAsked && (
        <ProofForm
          hint="为确认是本人操作，请输入登录密码。"
          withCode={false}
          action="下一步"
          onSend={prove}
          onCancel={() => setIsAsked(false)}
        />
      )}
      {ticket && <Scan key={ticket.id} of={ticket} onDone={done} onAgain={first} />}
      {visit && of.isOffered && (
        <Visit
          of={visit}
          onEnd={() => {
            forget()
            onChange()
          }}
        />
      )}
      {!ticket && !visit && !isAsked && of.isOffered && (
        <div className="my-words">
          <Button size="large" loading={busy} onClick={first}>
            {t(of.isConfirmed ? '更换微信' : '绑定微信')}
          </Button>
          {of.isConfirmed && (
            <Button size="large" onClick={unbind}>
              {t('解除绑定')}
            </Button>
          )}
        </div>
      )}
    </Way>
  )
}
