import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { newsInfo } from '../../contract.ts'

function Article({ id }: { id: string }): ReactNode {
  const t = useT()
  const news = useContract(newsInfo, { id })
  return (
    <Loaded query={news}>
      {data => (
        <article className="my-card">
          <h1>{data.title}</h1>
          <p className="my-quiet">
            {[data.source, data.author, momentText(data.releaseTime)].filter(Boolean).join('　')}
            {'　'}
            {t('浏览 {{n}} 次', { n: Number(data.viewNum) })}
          </p>
          {data.cover && (
            <img src={`/api/public/download?id=${data.cover}&inline=1&w=1200`} alt="" style={{ maxWidth: '100%' }} />
          )}
          <SafeHtml html={data.content} />
        </article>
      )}
    </Loaded>
  )
}

/** One piece of news for anybody. */
export default function NewsPage(): ReactNode {
  const t = useT()
  const { id = '' } = useParams()
  return (
    <PublicFrame>
      <Article id={id} />
      <Link to="/public/news">{t('返回新闻资讯')}</Link>
    </PublicFrame>
  )
}
