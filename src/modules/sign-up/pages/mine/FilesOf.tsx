import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { SignFiles } from '#schemas/sign-up/signup-json'
import { saveAttach } from '../../../../platform/files/browser/save-attach.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../form/form.css'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { sizeText } from '../../../../screens/fields/picture-file.ts'

/** The files handed in, each to be saved again. */
export function FilesOf({ files }: { files: readonly SignFiles[] }): ReactNode {
  const t = useT()
  const rows = files.flatMap(slot => slot.list.map(file => ({ ...file, slot: slot.fileName ?? slot.fileCode })))
  if (rows.length === 0) return null
  return (
    <section className="my-card">
      <h2>{t('照片与附件')}</h2>
      <ul className="form-files">
        {rows.map(file => (
          <li key={file.attachId}>
            <Thumb id={file.attachId} ext={file.ext} alt={file.slot} />
            <div>
              {t(file.slot)}
              <p className="my-quiet">
                {file.name} · {sizeText(file.size)}
              </p>
            </div>
            <Button
              size="large"
              type="text"
              icon={<DownloadOutlined aria-hidden />}
              aria-label={t('下载{{what}}', { what: file.name })}
              onClick={() => void saveAttach(file.attachId, file.name).catch(() => undefined)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
