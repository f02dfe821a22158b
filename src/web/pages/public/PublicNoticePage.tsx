import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { SafeHtml } from '../../fields/SafeHtml.tsx'
import { useT } from '../../i18n.ts'
import { Loaded } from '../candidate/parts/Loaded.tsx'
import { useAnswer } from '../candidate/parts/queries.ts'
import { momentText } from '../candidate/parts/times.ts'
import type { Notice } from '../candidate/parts/wire.ts'
import { HungFiles } from '../notice/HungFiles.tsx'
import { PublicFrame } from './PublicFrame.tsx'

function NoticeOf({ id }: { id: string }): ReactNode {
  const notice = useAnswer<Notice>('/public/notice', { id })
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
