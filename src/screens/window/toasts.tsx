import type { App } from 'antd'
import { t } from '../../platform/i18n/i18n.ts'
import './toasts.css'

type Messages = ReturnType<typeof App.useApp>['message']

/** How messages are shown: no more than the bars above the page hold, and as long as it takes to read them. */
export const TOASTS = { maxCount: 2, duration: 5 } as const

/** Says what went wrong, until it has been read: the person closes it. The same words stand there once. */
export function tellError(message: Messages, text: string): void {
  const close = (
    <button type="button" className="toast-close" aria-label={t('关闭')} onClick={() => message.destroy(text)}>
      ×
    </button>
  )
  const content = (
    <>
      {text}
      {close}
    </>
  )
  void message.open({ type: 'error', key: text, content, duration: 0 })
}

/** The words for something done, and what it was done to where that is known. */
export const doneText = (...said: readonly (string | undefined)[]): string => said.filter(Boolean).join(' · ')
