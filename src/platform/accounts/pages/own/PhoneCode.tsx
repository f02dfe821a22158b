import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { useT } from '../../../i18n/i18n.ts'
import './info.css'
import type { usePhoneCode } from './use-phone-code.ts'

interface Props {
  /** Where the code goes. */
  phone: string
  /** What was typed of it. */
  code: string
  onCode: (code: string) => void
  /** What is wrong with the code, in the language of the page. */
  problem?: string
  of: ReturnType<typeof usePhoneCode>
  /** Where the messages of a demo installation are read; empty elsewhere. */
  sandbox: string
}

/** Proves a phone: the button that has a code sent, and the code. */
export function PhoneCode({ phone, code, onCode, problem, of, sandbox }: Props): ReactNode {
  const t = useT()
  const send = (): void =>
    void of.send(phone).then(done => {
      if (done) document.getElementById('smsCode')?.focus()
    })
  const words = of.left > 0 ? t('{{seconds}} 秒后重发', { seconds: of.left }) : t(of.isSent ? '重新获取' : '获取验证码')
  return (
    <>
      <div className="code-line">
        <Entry
          id="smsCode"
          label={t('短信验证码')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          problem={of.trouble || problem}
          onChange={event => onCode(event.target.value.trim())}
        />
        <Button size="large" disabled={of.left > 0} loading={of.busy} onClick={send}>
          {words}
        </Button>
      </div>
      <p className="my-quiet" role="status">
        {of.isSent && t('验证码已发送，5 分钟内有效')}{' '}
        {sandbox && (
          <a href={sandbox} target="_blank" rel="noopener">
            {t('演示环境：在这里查看短信')}
          </a>
        )}
      </p>
    </>
  )
}
