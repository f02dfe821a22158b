import {
  BgColorsOutlined,
  BugOutlined,
  FullscreenOutlined,
  LockOutlined,
  QuestionCircleOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { askExports, useExports } from '../exports.ts'
import { useT } from '../i18n.ts'
import { useErrorLog } from './error-log.ts'
import { loadPart } from './lazy-page.ts'
import { DarkSwitch, LanguageSwitch } from './switches.tsx'

/** Dialogs that few open: each comes when it is first opened. */
const DIALOGS = {
  settings: lazy(() => loadPart(() => import('./Settings.tsx'))),
  lock: lazy(() => loadPart(() => import('./LockDialog.tsx'))),
  logs: lazy(() => loadPart(() => import('./LogsDialog.tsx'))),
}

/** Only who meets errors needs it. */
const ErrorBadge = lazy(() => loadPart(() => import('./ErrorBadge.tsx')))

/** Only who has large lists made needs it. */
const ExportTray = lazy(() => loadPart(() => import('./ExportTray.tsx')))

type Dialog = keyof typeof DIALOGS

function Tool(props: { icon: ReactNode; label: string; onClick: () => void; className?: string }): ReactNode {
  const { icon, label, onClick, className } = props
  return <Button type="text" className={className} icon={icon} title={label} aria-label={label} onClick={onClick} />
}

function toggleFullscreen(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  done.catch(() => undefined)
}

/** The person's exports from the first on, so that whoever shows them also sees the last one go; undefined before. */
function useHeldExports(): ReturnType<typeof useExports> | undefined {
  const exports = useExports()
  const [had, setHad] = useState(false)
  if (exports.length > 0 && !had) setHad(true)
  useEffect(() => void askExports(), [])
  return had ? exports : undefined
}

/** The tools of the top bar. On a small screen only those stay that are needed there. */
export function TopTools(): ReactNode {
  const t = useT()
  const entries = useErrorLog()
  const exports = useHeldExports()
  const [opened, setOpened] = useState<Dialog>()
  const [known, setKnown] = useState<Dialog[]>([])
  const open = (dialog: Dialog) => (): void => {
    setKnown([...new Set([...known, dialog])])
    setOpened(dialog)
  }
  return (
    <>
      <a
        className="top-link wide-only"
        href="/problem/problem"
        target="_blank"
        rel="noopener"
        title={t('常见问题')}
        aria-label={t('常见问题')}
      >
        <QuestionCircleOutlined />
      </a>
      <Tool className="wide-only" icon={<FullscreenOutlined />} label={t('全屏')} onClick={toggleFullscreen} />
      {exports && (
        <Suspense>
          <ExportTray tasks={exports} />
        </Suspense>
      )}
      {entries.length > 0 && (
        <Suspense>
          <ErrorBadge count={entries.length}>
            <Tool icon={<BugOutlined />} label={t('本地错误日志')} onClick={open('logs')} />
          </ErrorBadge>
        </Suspense>
      )}
      <Tool icon={<LockOutlined />} label={t('锁屏')} onClick={open('lock')} />
      <Tool className="wide-only" icon={<BgColorsOutlined />} label={t('外观')} onClick={open('settings')} />
      <LanguageSwitch />
      <DarkSwitch />
      {known.map(name => {
        const Part = DIALOGS[name]
        return (
          <Suspense key={name}>
            <Part open={opened === name} onClose={() => setOpened(undefined)} />
          </Suspense>
        )
      })}
    </>
  )
}
