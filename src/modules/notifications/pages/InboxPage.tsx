import { Button, Segmented } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { isCandidate, session } from '../../../platform/http/browser/session.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import '../../../screens/candidate/candidate.css'
import { Loaded, Nothing } from '../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../screens/candidate/queries.ts'
import { momentText } from '../../../screens/candidate/times.ts'
import { loadPart } from '../../../screens/window/lazy-page.ts'
import { type InboxLine, type InboxTab, inboxPage } from '../contract.ts'
import './inbox.css'
import { MessageState } from './MessageState.tsx'
import { markAllRead, markRead, useMore } from './parts/reading.ts'
import { useNotices } from './parts/unread.ts'

const NoticeDialog = lazy(() => loadPart(() => import('../../notices/pages/parts/NoticeDialog.tsx')))

/** Lines asked for at once. */
const STEP = 20

function Line({ of, onOpen }: { of: InboxLine; onOpen: (line: InboxLine) => void }): ReactNode {
  const t = useT()
  const address = of.kind === 'message' ? `/info/message/${of.id}` : of.opens
  const inside = (
    <>
      <span className={of.read ? undefined : 'my-unread'}>
        {of.isTop && <b>{t('［置顶］')}</b>}
        {of.title}
        {of.mustSure && <small className="inbox-must"> {t('须确认')}</small>}
      </span>
      <span className="inbox-foot">
        <time>{momentText(of.time)}</time>
        <MessageState of={of} />
      </span>
    </>
  )
  if (address)
    return (
      <Link to={address} onClick={() => onOpen(of)}>
        {inside}
      </Link>
    )
  return (
    <button type="button" onClick={() => onOpen(of)}>
      {inside}
    </button>
  )
}

/** Messages about what is one's own, and notices, together: the newest first. */
export default function InboxPage(): ReactNode {
  const t = useT()
  const [tab, setTab] = useState<InboxTab>('all')
  const [size, setSize] = useState(STEP)
  const [notice, setNotice] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const unread = useNotices()
  const inbox = useContract(inboxPage, { current: 1, size, tab })
  useMore(unread.total, () => void inbox.refetch())
  const open = (line: InboxLine): void => {
    if (!line.read) void markRead(line, unread)
    if (line.kind === 'notice' && !line.opens) setNotice(line.id)
  }
  const readAll = (): void => {
    setBusy(true)
    // The refusal has been shown.
    void markAllRead()
      .then(() => inbox.refetch())
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  const tabs = [
    { value: 'all', label: t('全部') },
    { value: 'unread', label: t('未读') },
    { value: 'todo', label: t('待处理') },
    { value: 'notice', label: t('通知') },
  ] as const
  const nothing = {
    all: t('还没有消息'),
    unread: t('没有未读消息'),
    todo: t('没有待处理的消息'),
    notice: t('还没有通知'),
  } as const
  return (
    <div className="my inbox">
      {isCandidate(session.get()) && <h1>{t('消息')}</h1>}
      <div className="inbox-bar">
        <Segmented<InboxTab>
          value={tab}
          options={[...tabs]}
          onChange={next => {
            setTab(next)
            setSize(STEP)
          }}
        />
        <Button type="link" loading={isBusy} disabled={unread.total === 0} onClick={readAll}>
          {t('全部已读')}
        </Button>
      </div>
      <Loaded query={inbox}>
        {({ records, total }) => (
          <>
            {records.length > 0 ? (
              <ul className="my-rows">
                {records.map(one => (
                  <li key={`${one.kind}${one.id}`}>
                    <Line of={one} onOpen={open} />
                  </li>
                ))}
              </ul>
            ) : (
              <Nothing title={nothing[tab]} />
            )}
            {Number(total) > records.length && records.length === size && (
              <Button size="large" block onClick={() => setSize(size + STEP)}>
                {t('显示更多')}
              </Button>
            )}
          </>
        )}
      </Loaded>
      {isCandidate(session.get()) && (
        <p>
          <a href="/public/files" target="_blank" rel="noopener">
            {t('下载专区')}
          </a>
        </p>
      )}
      {notice !== undefined && (
        <Suspense>
          <NoticeDialog
            id={notice}
            onClose={() => {
              setNotice(undefined)
              void inbox.refetch()
            }}
            onConfirmed={async () => void (await inbox.refetch())}
          />
        </Suspense>
      )}
    </div>
  )
}
