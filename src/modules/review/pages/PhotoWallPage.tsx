import { Checkbox, Flex, Image, Pagination, Spin, Tag, Typography } from 'antd'
import { useSearchParams } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictSelect } from '../../../screens/fields/DictSelect.tsx'
import { RefSelect } from '../../../screens/fields/RefSelect.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { photoWall } from '../../sign-up/contract.ts'

type Wall = AnswerOf<typeof photoWall>
type Photo = Wall['records'][number]

const SIZE = 48

function Card({ photo, wanted }: { photo: Photo; wanted: Wall['wanted'] }) {
  const t = useT()
  const frame = { width: 118, height: 165, borderRadius: 6, objectFit: 'cover' } as const
  return (
    <figure style={{ width: 118, margin: 0 }}>
      {photo.photoUrl ? (
        <Image src={photo.photoUrl} alt={photo.name} width={118} height={165} style={frame} loading="lazy" />
      ) : (
        <Flex align="center" justify="center" style={{ ...frame, background: 'var(--jx-surface-2)' }}>
          {t('缺照片')}
        </Flex>
      )}
      <figcaption>
        <div>{photo.name}</div>
        <Typography.Text type="secondary" style={{ fontSize: 12 }}>
          {photo.code}
          <br />
          {photo.signNo}
        </Typography.Text>
        {photo.state === 'odd' && (
          <Tag color="orange" title={`${wanted.width}×${wanted.height}`}>
            {photo.width}×{photo.height}
          </Tag>
        )}
      </figcaption>
    </figure>
  )
}

function Photos({ asked, onPage }: { asked: Record<string, string>; onPage: (current: number) => void }) {
  const t = useT()
  const current = Number(asked.current ?? 1)
  const wall = useEndpoint(photoWall, {
    ...asked,
    examId: asked.examId ?? '',
    missing: asked.missing === '1' ? 1 : undefined,
    current,
    size: SIZE,
  })
  const { records = [], total = 0, wanted = { width: 295, height: 413 } } = wall.data ?? {}
  return (
    <Spin spinning={wall.isFetching}>
      {records.length === 0 && !wall.isFetching && <Nothing picture="magnifier" text={t('没有符合条件的照片')} />}
      <Image.PreviewGroup>
        <Flex wrap gap={16} style={{ minHeight: 200 }}>
          {records.map(photo => (
            <Card key={photo.signupId} photo={photo} wanted={wanted} />
          ))}
        </Flex>
      </Image.PreviewGroup>
      <Pagination
        style={{ marginTop: 16 }}
        current={current}
        pageSize={SIZE}
        total={total}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={onPage}
      />
    </Spin>
  )
}

/** The photos of an exam's candidates beside each other, so that what does not fit is seen at a glance. */
export default function PhotoWallPage() {
  const t = useT()
  const [params, setParams] = useSearchParams()
  const asked = Object.fromEntries(params)
  const put = (change: Record<string, string | undefined>): void => {
    const next = { ...asked, current: '1', ...change }
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value)) as Record<string, string>, {
      replace: true,
    })
  }
  return (
    <Flex vertical gap={16}>
      <Flex wrap gap={12} align="center">
        <div style={{ width: 360, maxWidth: '100%' }}>
          <RefSelect
            entity="examination"
            name={t('考试')}
            value={asked.examId}
            onChange={value => put({ examId: value ? String(value) : undefined })}
          />
        </div>
        <div style={{ width: 240, maxWidth: '100%' }}>
          <DictSelect
            code="recruit_unit"
            aria-label={t('单位')}
            placeholder={t('全部单位')}
            value={asked.unit}
            onChange={value => put({ unit: value ? String(value) : undefined })}
          />
        </div>
        <Checkbox
          checked={asked.missing === '1'}
          onChange={event => put({ missing: event.target.checked ? '1' : undefined })}
        >
          {t('只看缺照片的')}
        </Checkbox>
      </Flex>
      {asked.examId ? (
        <Photos asked={asked} onPage={current => put({ current: String(current) })} />
      ) : (
        <Nothing picture="magnifier" text={t('请先选择考试')} />
      )}
    </Flex>
  )
}
