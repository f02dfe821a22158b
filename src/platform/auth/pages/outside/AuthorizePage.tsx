import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { AnswerOf } from '#engine'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { useSession } from '../../../../screens/providers/use-session.ts'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { call } from '../../../http/browser/call.ts'
import { useT } from '../../../i18n/i18n.ts'
import { authorization, decideAuthorization } from '../../contract.ts'

/** Which program asks, and the host to which the answer goes. */
type Program = AnswerOf<typeof authorization>

function Question({ of, asked }: { of: Program; asked: Record<string, string> }): ReactNode {
  const t = useT()
  const person = useSession()
  const [busy, setBusy] = useState<boolean>()
  const answer = async (approved: boolean): Promise<void> => {
    setBusy(approved)
    try {
      const { address } = await call(decideAuthorization, { ...asked, approved })
      location.assign(address)
    } catch {
      // The refusal has been shown.
      setBusy(undefined)
    }
  }
  return (
    <section className="my-card my-narrow">
      <h1>{t('授权登录')}</h1>
      <p>{t('应用「{{name}}」（{{host}}）申请以您的身份使用本系统。', { name: of.clientId, host: of.host })}</p>
      <dl className="my-facts">
        <div>
          <dt>{t('当前账号')}</dt>
          <dd>{person?.account}</dd>
        </div>
        <div>
          <dt>{t('申请范围')}</dt>
          <dd>{of.scope}</dd>
        </div>
      </dl>
      <p>{t('同意后，它能查看和办理您能办理的一切。不认识这个应用时请选“不同意”；修改密码后授权立即失效。')}</p>
      <div className="my-actions">
        <Button size="large" type="primary" loading={busy === true} onClick={() => void answer(true)}>
          {t('同意授权')}
        </Button>
        <Button size="large" loading={busy === false} onClick={() => void answer(false)}>
          {t('不同意')}
        </Button>
      </div>
    </section>
  )
}

function Asking(): ReactNode {
  const [asked] = useState(() => Object.fromEntries(new URLSearchParams(location.search)))
  const program = useContract(authorization, asked)
  return <Loaded query={program}>{found => <Question of={found} asked={asked} />}</Loaded>
}

/** A program elsewhere asks to act for the person; nothing happens without a press. */
export default function AuthorizePage(): ReactNode {
  return (
    <PublicFrame>
      <Asking />
    </PublicFrame>
  )
}
