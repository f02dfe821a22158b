import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { publicNotice } from '../../../notices/contract.ts'
import { HungFiles } from '../../../notices/pages/HungFiles.tsx'

function NoticeOf({ id }: { id: string }): ReactNode {
  const notice = useContract(publicNotice, { id })
  return (
    <Loaded query={notice}>
      {data => (
        <article className="my-card">
          <h1>{data.title}</h1>
          <p className="my-quiet">{momentText(data.releaseTime)}</p>
          <SafeHtml html={data.content} />
          <HungFiles files={data.files} open />
        </article>
      )}
    </Loaded>
  )
}

/** One notice for anybody. */
export default function PublicNoticePage(): ReactNode {
  const t = useT()
  const { id = '' } = useParams()
  return (
    <PublicFrame>
      <NoticeOf id={id} />
      <Link to="/public/index">{t('返回招聘公告')}</Link>
    </PublicFrame>
  )
}
