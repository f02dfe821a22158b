import { App, Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { CallOptions } from '../platform/http/browser/http.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { askExports } from './exports.ts'

/** Where the exports of a person stand. */
const TASKS = '/exam/exporttask'
/** Seconds for which the word about the background stays: there is something to click. */
const STAYS = 6

/**
 * Takes exports for a button: a small one is saved, of a large one the person is told where it will be. `take` answers whether it
 * went well; a refusal has been shown.
 */
export function useExport() {
  const t = useT()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const told = (): void => {
    const key = 'export-task'
    const show = (): void => {
      message.destroy(key)
      void navigate(TASKS)
    }
    const content = (
      <>
        {t('数据较多，已转入后台导出，完成后会提醒您')}
        <Button type="link" size="small" onClick={show}>
          {t('查看导出任务')}
        </Button>
      </>
    )
    void message.info({ key, content, duration: STAYS })
    void askExports()
  }
  const take = async (
    path: string,
    options: CallOptions & { method?: 'GET' | 'POST'; name?: string },
  ): Promise<boolean> => {
    setBusy(true)
    const close = message.loading(t('正在导出'), 0)
    try {
      const { takeExport } = await import('../platform/http/browser/transfer.ts')
      const name = await takeExport(path, options)
      if (name === null) told()
      else void message.success(t('已导出 {{name}}', { name }))
      return true
    } catch {
      return false
    } finally {
      close()
      setBusy(false)
    }
  }
  return { busy, take }
}
