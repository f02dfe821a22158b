import { DownloadOutlined } from '@ant-design/icons'
import type { CrudFilter } from '@refinedev/core'
import { App, Button } from 'antd'
import { useState } from 'react'
import type { Resource } from '#engine'
import { useT } from '../i18n.ts'
import { filtersToQuery } from '../providers/query.ts'
import { download } from '../transfer.ts'

/** Saves the rows of a list, as they are filtered now, as an Excel file. */
export function ExportButton({ resource, filters }: { resource: Resource; filters: readonly CrudFilter[] }) {
  const t = useT()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    const close = message.loading(t('正在导出，完成后自动下载'), 0)
    try {
      const name = await download(`${resource.path}/export`, {
        params: filtersToQuery(filters),
        name: `${t(resource.title)}.xlsx`,
      })
      void message.success(t('已导出 {{name}}', { name }))
    } catch {
      // The refusal has been shown.
    } finally {
      close()
      setBusy(false)
    }
  }
  return (
    <Button icon={<DownloadOutlined />} loading={busy} onClick={() => void save()}>
      {t('导出')}
    </Button>
  )
}
