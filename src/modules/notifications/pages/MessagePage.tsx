import { Button } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import '../../../screens/candidate/candidate.css'
import { Loaded } from '../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../screens/candidate/queries.ts'
import { momentText } from '../../../screens/candidate/times.ts'
import { inboxInfo } from '../contract.ts'
import './inbox.css'
import { isOpen, MessageState } from './MessageState.tsx'
import { markRead } from './parts/reading.ts'
import { useNotices } from './parts/unread.ts'

/** One message: what happened, what was said with it, and the way to where something can be done. Opening it marks it read. */
export default function MessagePage(): ReactNode {
  const t = useT()
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const message = useContract(inboxInfo, { id })
  const unread = useNotices()
  const isUnread = message.data?.read === false
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message.
  useEffect(() => {
    if (isUnread) void markRead({ id, kind: 'message' }, unread)
  }, [isUnread, id])
  return (
    <div className="my inbox">
      <Loaded query={message}>
        {one => (
          <article className="my-card">
            <h1>{one.title}</h1>
            <p className="inbox-foot">
              <time>{momentText(one.time)}</time>
              <MessageState of={one} />
            </p>
            {one.facts.length > 0 && (
              <dl className="inbox-facts">
                {one.facts.map(({ label, value }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            {one.opens && (
              <Button
                type={isOpen(one) && one.until !== '' ? 'primary' : 'default'}
                size="large"
                // Pages for everybody may be the server's own.
                onClick={() => (one.opens.startsWith('/public/') ? location.assign(one.opens) : navigate(one.opens))}
              >
                {isOpen(one) && one.until !== '' ? t('去处理') : t('查看')}
              </Button>
            )}
          </article>
        )}
      </Loaded>
      <p>
        <Link to="/info/inbox">{t('全部消息')}</Link>
      </p>
    </div>
  )
}
