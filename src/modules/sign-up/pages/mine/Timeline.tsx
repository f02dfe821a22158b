import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import type { Mine } from '../../contract.ts'

/** What has happened to a sign-up, oldest first, with the reviewers' words. */
export function Timeline({ of }: { of: Mine['steps'] }): ReactNode {
  const t = useT()
  return (
    <ol className="my-line">
      {of.map((one, at) => (
        <li key={`${one.time}-${one.label}`} data-state={at === of.length - 1 ? undefined : 'done'}>
          <strong>{t(one.label)}</strong>
          <time>{momentText(one.time)}</time>
          {one.remark && <p className="my-note">{one.remark}</p>}
        </li>
      ))}
    </ol>
  )
}
