import { DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { saveAttach } from '../../platform/files/browser/save-attach.ts'
import { attachDetail } from '../../platform/files/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'

interface Props {
  /** Attachment id. */
  id: string | undefined
  /** Name shown and saved under; asked for when it is not given. */
  name?: string
}

/** The original name of an attachment, for example of a file chosen earlier. */
function useFileName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['attach', id],
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => call(attachDetail, { id: id ?? '' }, { signal, pass: 'all' }),
  })
  return data?.originalName
}

/** A file to save: fetched with the person's token, shown busy meanwhile. */
export function FileLink({ id, name }: Props) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const found = useFileName(name ? undefined : id)
  if (!id) return null
  const shown = name ?? found ?? t('下载附件')
  const save = (): void => {
    setBusy(true)
    // A refusal has been shown by then; the button is free again either way.
    saveAttach(id, shown)
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <Button
      type="link"
      size="small"
      icon={<DownloadOutlined aria-hidden />}
      loading={busy}
      onClick={save}
      style={{ padding: 0 }}
    >
      {shown}
    </Button>
  )
}
