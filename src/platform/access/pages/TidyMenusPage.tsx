import { Alert, Button, Card, Flex } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { reloadRights } from '../../../screens/providers/rights.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { useT } from '../../i18n/i18n.ts'
import { menuMoves, tidyMenus } from '../contract.ts'

type Move = AnswerOf<typeof menuMoves>[number]

/** Where each menu stands and where a new installation has it; those that are ticked go there. */
export default function TidyMenusPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const moves = useEndpoint(menuMoves, {})
  const [left, leave] = useState<readonly string[]>([])
  const tidy = useSend(tidyMenus, { stale: [menuMoves] })
  const back = <Button onClick={() => void go('/system/menu')}>{t('返回列表')}</Button>
  if (moves.isPending) return <PageSkeleton />
  if (!moves.data) return <NoAnswer error={moves.error}>{back}</NoAnswer>
  const rows: readonly Move[] = moves.data
  if (rows.length === 0) return <Nothing text={t('菜单已是整理后的位置')}>{back}</Nothing>
  const chosen = rows.filter(({ code }) => !left.includes(code))
  const send = (): void =>
    tidy.mutate(
      { moves: chosen.map(({ code, parentId }) => ({ code, parentId })) },
      { onSuccess: () => void reloadRights(), onError: () => void moves.refetch() },
    )
  const way = (names: string): string =>
    names
      .split(' / ')
      .map(name => t(name))
      .join(' / ') || t('一级菜单')
  return (
    <Card>
      <Flex vertical gap={16}>
        <Alert
          type="info"
          showIcon
          title={t('勾选的菜单移到新安装的系统所在的位置；名称、权限和自己添加的菜单不变，之后仍可在菜单中修改。')}
        />
        <WideTable<Move>
          label={t('整理菜单')}
          rowKey="code"
          dataSource={rows}
          width="max-content"
          pagination={false}
          columns={[
            { key: 'name', title: t('菜单名称'), render: (_, { name }) => t(name) },
            { key: 'from', title: t('现在的位置'), render: (_, { from }) => way(from) },
            { key: 'to', title: t('整理后的位置'), render: (_, { to }) => way(to) },
          ]}
          rowSelection={{
            selectedRowKeys: chosen.map(({ code }) => code),
            onChange: keys => leave(rows.filter(({ code }) => !keys.includes(code)).map(({ code }) => code)),
          }}
        />
        <Flex gap={8}>
          <Button type="primary" disabled={chosen.length === 0} loading={tidy.isPending} onClick={send}>
            {t('移动{{n}}个菜单', { n: chosen.length })}
          </Button>
          {back}
        </Flex>
      </Flex>
    </Card>
  )
}
