import { Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { HungFiles } from '../HungFiles.tsx'
import '../../../../screens/candidate/candidate.css'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { confirmNotice, type Notice, noticeInfo, readNotice } from '../../contract.ts'

function Sure({ of, onDone }: { of: Notice; onDone: () => void }): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await call(confirmNotice, { id: of.id })
      onDone()
    } catch {
      // The refusal has been shown.
    } finally {
      setBusy(false)
    }
  }
  if (of.needSure !== 1) return null
  if (of.sure === 1) return <p className="my-quiet">{t('已于 {{at}} 确认', { at: momentText(of.sureTime) })}</p>
  return (
    <Button type="primary" size="large" block loading={busy} onClick={() => void confirm()}>
      {t('我已阅读并确认')}
    </Button>
  )
}

/** One notice to read; opening it marks it read. */
export default function NoticePage(): ReactNode {
  const t = useT()
  const { id = '' } = useParams()
  const notice = useContract(noticeInfo, { id })
  const isUnread = notice.data?.read === 0
  useEffect(() => {
    if (isUnread) call(readNotice, { id }, { pass: 'all' }).catch(() => undefined)
  }, [isUnread, id])
  return (
    <div className="my">
      <Loaded query={notice}>
        {data => (
          <article className="my-card">
            <h1>{data.title}</h1>
            <p className="my-quiet">{momentText(data.releaseTime)}</p>
            <SafeHtml html={data.content} />
            <HungFiles files={data.files} />
            <Sure of={data} onDone={() => void notice.refetch()} />
          </article>
        )}
      </Loaded>
      <Link to="/signup/notice">{t('全部消息')}</Link>
    </div>
  )
}
