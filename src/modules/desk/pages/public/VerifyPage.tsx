import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { verifyTicket } from '../../../tickets/contract.ts'

function Result({ code }: { code: string }): ReactNode {
  const t = useT()
  const result = useContract(verifyTicket, { code })
  return (
    <Loaded query={result}>
      {({ valid, reason, name, ticketNo, roomNo, seatNo }) => (
        <section className="my-card" role="status">
          <h2 className="my-words" style={{ color: valid ? 'var(--jx-good)' : 'var(--jx-bad)' }}>
            {valid ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />}
            {valid ? t('准考证有效') : t('准考证{{why}}', { why: t(reason ?? '无效') })}
          </h2>
          {valid && (
            <Facts
              of={[
                [t('姓名'), name],
                [t('准考证号'), ticketNo],
                [t('考场号'), roomNo],
                [t('座位号'), seatNo],
              ]}
            />
          )}
        </section>
      )}
    </Loaded>
  )
}

/** Checks the code of a ticket: the text that its QR code holds. */
export default function VerifyPage(): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('code') ?? ''
  const [code, setCode] = useState(asked)
  const check = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (code.trim()) setQuery({ code: code.trim() })
  }
  return (
    <PublicFrame>
      <form className="public-form" onSubmit={check}>
        <h1>{t('准考证核验')}</h1>
        <div className="in-field">
          <label htmlFor="code">{t('准考证二维码中的内容')}</label>
          <textarea
            id="code"
            className="in"
            rows={4}
            maxLength={2000}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        </div>
        <Button htmlType="submit" type="primary" size="large" disabled={!code.trim()}>
          {t('核验')}
        </Button>
        {asked && <Result key={asked} code={asked} />}
      </form>
    </PublicFrame>
  )
}
