import { DownloadOutlined } from '@ant-design/icons'
import type { CrudFilter } from '@refinedev/core'
import { Button } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { filtersToQuery } from './providers/query.ts'
import { useExport } from './use-export.tsx'

/** Takes the rows of a list, as they are filtered now, as an Excel file. */
export function ExportButton({ resource, filters }: { resource: Resource; filters: readonly CrudFilter[] }) {
  const t = useT()
  const { busy, take } = useExport()
  const options = { params: filtersToQuery(filters), name: `${t(resource.title)}.xlsx` }
  return (
    <Button
      icon={<DownloadOutlined aria-hidden />}
      loading={busy}
      onClick={() => void take(`${resource.path}/export`, options)}
    >
      {t('导出')}
    </Button>
  )
}
