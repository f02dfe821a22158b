import {
  BgColorsOutlined,
  BugOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  LockOutlined,
  QuestionCircleOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { askExports, useExports } from '../../screens/exports.ts'
import { useErrorLog } from '../../screens/window/error-log.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { DarkSwitch, LanguageSwitch } from '../../screens/window/switches.tsx'
import { openDialog } from './dialogs.ts'
import { NoticeBell } from './NoticeBell.tsx'

/** Only who meets errors needs it. */
const ErrorBadge = lazy(() => loadPart(() => import('./ErrorBadge.tsx')))

/** Only who has large lists made needs it. */
const ExportTray = lazy(() => loadPart(() => import('./ExportTray.tsx')))

/** The page of common questions. */
export const FAQ = '/problem/problem'

function Tool(props: { icon: ReactNode; label: string; onClick: () => void; className?: string }): ReactNode {
  const { icon, label, onClick, className } = props
  return <Button type="text" className={className} icon={icon} title={label} aria-label={label} onClick={onClick} />
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** The whole screen for this window, and back. */
function FullscreenTool(): ReactNode {
  const t = useT()
  const isFull = useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement))
  const toggle = (): void => {
    const done = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()
    done.catch(() => undefined)
  }
  const icon = isFull ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />
  return <Tool className="wide-only" icon={icon} label={t(isFull ? '退出全屏' : '全屏')} onClick={toggle} />
}

/** The person's exports from the first on, so that whoever shows them also sees the last one go; undefined before. */
function useHeldExports(): ReturnType<typeof useExports> | undefined {
  const exports = useExports()
  const [had, setHad] = useState(false)
  if (exports.length > 0 && !had) setHad(true)
  useEffect(() => void askExports(), [])
  return had ? exports : undefined
}

/** The local log, and before it what is there only now and then: what comes or goes here moves nothing. */
function Passing(): ReactNode {
  const t = useT()
  const entries = useErrorLog()
  const exports = useHeldExports()
  const logs = <Tool icon={<BugOutlined aria-hidden />} label={t('本地错误日志')} onClick={() => openDialog('logs')} />
  return (
    <Suspense fallback={logs}>
      {exports && <ExportTray tasks={exports} />}
      {entries.length > 0 ? <ErrorBadge count={entries.length}>{logs}</ErrorBadge> : logs}
    </Suspense>
  )
}

/** The tools of the top bar. On a small screen only those stay that are needed there. */
export function TopTools(): ReactNode {
  const t = useT()
  const faq = t('常见问题')
  return (
    <span className="top-tools">
      <Passing />
      <Tool
        className="narrow-only"
        icon={<SearchOutlined aria-hidden />}
        label={t('搜索页面、考试、人员')}
        onClick={() => openDialog('search')}
      />
      <a className="top-link wide-only" href={FAQ} target="_blank" rel="noopener" title={faq} aria-label={faq}>
        <QuestionCircleOutlined aria-hidden />
      </a>
      <FullscreenTool />
      <NoticeBell />
      <Tool icon={<LockOutlined aria-hidden />} label={t('锁屏')} onClick={() => openDialog('lock')} />
      <Tool
        className="wide-only"
        icon={<BgColorsOutlined aria-hidden />}
        label={t('外观')}
        onClick={() => openDialog('settings')}
      />
      <LanguageSwitch />
      <DarkSwitch />
    </span>
  )
}
