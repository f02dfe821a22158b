import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { useT } from '../../../i18n/i18n.ts'
import { confirmEmail, ownChannels, sendEmailCode } from '../../contract.ts'
import './info.css'
import { type Channel, Way } from './Way.tsx'
import { Wechat } from './Wechat.tsx'

/** Proves an e-mail address: a button that has a code sent there, and the code. */
function ConfirmMail({ of, onDone }: { of: Channel; onDone: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [codeId, setCodeId] = useState('')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      // Other refusals have been shown.
      if (error instanceof ApiError && error.code === REFUSAL.accounts.mailCodeWrong) setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const send = (): Promise<void> =>
    run(async () => {
      setCodeId((await call(sendEmailCode, {})).id)
      document.getElementById('mailCode')?.focus()
    })
  const confirm = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (!/^\d{6}$/.test(code)) return setProblem(t('请输入6位验证码'))
    await run(async () => {
      await call(confirmEmail, { codeId, code }, { pass: [REFUSAL.accounts.mailCodeWrong] })
      void message.success(t('邮箱已确认'))
      onDone()
    })
  }
  return (
    <form className="channel-confirm" onSubmit={event => void confirm(event)} noValidate>
      <p className="my-quiet">
        {t('邮箱 {{address}} 还没有确认。确认后，消息同时发到邮箱。', { address: of.address })}
      </p>
      <div className="code-line">
        <Entry
          id="mailCode"
          label={t('邮箱验证码')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          problem={problem}
          onChange={event => setCode(event.target.value.trim())}
        />
        <Button size="large" loading={busy && codeId === ''} onClick={() => void send()}>
          {t(codeId ? '重新获取' : '获取验证码')}
        </Button>
      </div>
      <p className="my-quiet" role="status">
        {codeId !== '' && t('验证码已发到邮箱，5 分钟内有效')}{' '}
        {of.sandbox && (
          <a href={of.sandbox} target="_blank" rel="noopener">
            {t('演示环境：在这里查看邮件')}
          </a>
        )}
      </p>
      <Button htmlType="submit" type="primary" size="large" disabled={codeId === ''} loading={busy && codeId !== ''}>
        {t('确认邮箱')}
      </Button>
    </form>
  )
}

function Mail({ of, onChange }: { of: Channel; onChange: () => void }): ReactNode {
  const t = useT()
  const note = of.isOffered ? '消息的内容和办理入口同时发到您的邮箱。' : '本机构未开通邮件，消息只在站内。'
  return (
    <Way of={of} title="邮件" note={note} onChange={onChange}>
      {of.problem && (
        <p role="alert" className="channel-problem">
          {t('发往这个邮箱的邮件被退回：{{why}}。请更换邮箱，或重新确认。', { why: of.problem })}
        </p>
      )}
      {of.isOffered && !of.address && (
        <p>
          <Link to="/info/index?tab=info">{t('先在「个人信息」中填写电子邮箱')}</Link>
        </p>
      )}
      {of.isOffered && of.address && (!of.isConfirmed || of.problem) && <ConfirmMail of={of} onDone={onChange} />}
    </Way>
  )
}

/** By which ways somebody is told beside the inbox, and which of them the person wants. */
export default function Channels(): ReactNode {
  const t = useT()
  const channels = useContract(ownChannels, {})
  const reload = (): void => void channels.refetch()
  return (
    <>
      <p className="my-card">{t('所有消息都进站内消息，不能关闭。以下方式可以选择。')}</p>
      <Loaded query={channels}>
        {found =>
          found.map(of => {
            const key = `${of.channel} ${of.address} ${of.isConfirmed}`
            if (of.channel === 'mail') return <Mail key={key} of={of} onChange={reload} />
            if (of.channel === 'wechat') return <Wechat key={key} of={of} onChange={reload} />
            const note = '关闭后只收必须通知的短信，例如退回修改、缴费截止和密码重置。'
            return (
              <Way key={key} of={of} title="短信" note={note} onChange={reload}>
                {of.problem && (
                  <p role="alert" className="channel-problem">
                    {t('发往这个号码的短信没有送达：{{why}}。请核对手机号码，换了号码请更新。', { why: of.problem })}
                  </p>
                )}
              </Way>
            )
          })
        }
      </Loaded>
    </>
  )
}
