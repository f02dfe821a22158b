import {
  AccountBookOutlined,
  ApartmentOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BarChartOutlined,
  BellOutlined,
  BookOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  CodeOutlined,
  DatabaseOutlined,
  FileSearchOutlined,
  FileTextOutlined,
  FolderOutlined,
  FormOutlined,
  HomeOutlined,
  IdcardOutlined,
  MessageOutlined,
  PayCircleOutlined,
  ProfileOutlined,
  ScissorOutlined,
  SettingOutlined,
  SolutionOutlined,
  TableOutlined,
  TeamOutlined,
  TrophyOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { ComponentType, ReactNode } from 'react'

/** Icons a menu item may name in `source`, matched as a part of it: `icon-exam` and `exam` are the same. */
const ICONS: readonly (readonly [RegExp, ComponentType<{ 'aria-hidden'?: boolean }>])[] = [
  [/home|wel/, HomeOutlined],
  [/dashboard/, BarChartOutlined],
  [/examine|review|audit/, AuditOutlined],
  [/my-?sign/, SolutionOutlined],
  [/sign/, FormOutlined],
  [/exam/, FileTextOutlined],
  [/reduc|cut/, ScissorOutlined],
  [/pay|finance|money/, PayCircleOutlined],
  [/invoice|bill/, AccountBookOutlined],
  [/ticket|seat/, IdcardOutlined],
  [/result|score/, TrophyOutlined],
  [/statistic|chart/, BarChartOutlined],
  [/notice|bell/, BellOutlined],
  [/send|message|sms/, MessageOutlined],
  [/team|role|group/, TeamOutlined],
  [/user|person|info$/, UserOutlined],
  [/setting|system/, SettingOutlined],
  [/resource|attach|folder|file/, FolderOutlined],
  [/job|clock|schedule/, ClockCircleOutlined],
  [/work|todo/, CheckCircleOutlined],
  [/flow|process|dept/, ApartmentOutlined],
  [/code|develop/, CodeOutlined],
  [/data|model/, DatabaseOutlined],
  [/report|table/, TableOutlined],
  [/log|monitor/, FileSearchOutlined],
  [/dict|book|news/, BookOutlined],
  [/list|items/, ProfileOutlined],
]

/** The icon that a menu item's `source` names, else the one its code suggests. */
export function menuIcon(source: string, code = ''): ReactNode {
  const found = ICONS.find(([name]) => name.test(source)) ?? ICONS.find(([name]) => name.test(code))
  const Icon = found?.[1] ?? AppstoreOutlined
  return <Icon aria-hidden />
}
