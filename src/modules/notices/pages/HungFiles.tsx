import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { FileLink } from '../../../screens/fields/FileLink.tsx'
import type { HungFile } from '../contract.ts'
import { sizeText } from './size-text.ts'

interface Props {
  files: readonly HungFile[] | undefined
  /** For readers without an account. */
  open?: boolean
}

/** The files of a notice to download; nothing when there are none. */
export function HungFiles({ files = [], open = false }: Props): ReactNode {
  const t = useT()
  if (files.length === 0) return null
  return (
    <section aria-label={t('附件')}>
      <h2>{t('附件')}</h2>
      <ul style={{ padding: 0, listStyle: 'none' }}>
        {files.map(one => (
          <li key={one.id} style={{ padding: '6px 0' }}>
            {open ? (
              <a href={`/api/public/download?id=${one.attachId}`} download={one.fileName}>
                {one.fileName}
              </a>
            ) : (
              <FileLink id={one.attachId} name={one.fileName} />
            )}{' '}
            <small>{sizeText(one.fileSize)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
