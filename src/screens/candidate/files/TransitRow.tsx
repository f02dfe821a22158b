import { CloseOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { FilePick } from './FilePick.tsx'
import type { Transit } from './use-uploads.ts'

/** A file on its way with its progress, or the reason why it did not arrive and a way to send it again, or another one. */
export function TransitRow({
  of,
  accept,
  onRetry,
  onOther,
  onDrop,
}: {
  of: Transit
  /** Types or endings of what may be sent instead. */
  accept: string
  onRetry: () => void
  onOther: (file: File) => void
  onDrop: () => void
}): ReactNode {
  const t = useT()
  return (
    <li>
      <div>
        {of.file.name}
        {of.error ? (
          <p className="in-problem" role="alert">
            {t(of.error)}
          </p>
        ) : (
          <progress max={100} value={of.percent} aria-label={t('上传进度')} />
        )}
      </div>
      {of.error && (
        <>
          {of.isUnfit ? (
            <FilePick accept={accept} onPick={([file]) => file && onOther(file)}>
              {t(of.file.type.startsWith('image/') ? '换一张' : '选择文件')}
            </FilePick>
          ) : (
            <Button size="large" icon={<ReloadOutlined aria-hidden />} aria-label={t('重试')} onClick={onRetry} />
          )}
          <Button
            size="large"
            type="text"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t('移除')}
            onClick={onDrop}
          />
        </>
      )}
    </li>
  )
}
