import { Component, type ErrorInfo, type ReactNode } from 'react'
import { absenceOf, isOtherServer } from '../../platform/http/browser/absent.ts'
import { t } from '../../platform/i18n/i18n.ts'
import { Absent } from './Absent.tsx'
import { record } from './error-log.ts'
import { isLoadFailure, reload, reloadOnce } from './lazy-page.ts'

interface Props {
  children: ReactNode
  /** A new value clears the error: the address, usually. */
  at?: string
}

interface State {
  error?: unknown
  at?: string
}

/** Keeps the rest of the window alive when a page fails, says so, and offers to try again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { at: this.props.at }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return props.at === state.at ? null : { at: props.at, error: undefined }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    record(error, info.componentStack ?? '')
    if (isLoadFailure(error)) void reloadOnce()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // A page may not know what to do without what the connected server lacks.
    if (absenceOf(location.pathname) !== 'none') return <Absent />
    // Another server may answer in a form of its own; what came of it stands in the log of errors.
    if (isOtherServer() && !isLoadFailure(error)) return <Absent of="unlike" />
    return (
      <div className="trouble" role="alert">
        <h1>{t(isLoadFailure(error) ? '页面没有加载成功' : '页面出错了')}</h1>
        <p>
          {t(
            isLoadFailure(error) ? '可能是网络不稳定，或系统刚刚更新。' : '错误已记入本地日志，您可以重试或返回首页。',
          )}
        </p>
        <p>
          <button
            type="button"
            onClick={() => (isLoadFailure(error) ? void reload() : this.setState({ error: undefined }))}
          >
            {t('重试')}
          </button>
          <a href="/">{t('返回首页')}</a>
        </p>
      </div>
    )
  }
}
