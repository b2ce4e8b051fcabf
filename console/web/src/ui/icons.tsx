import type { ComponentChildren } from "preact";

// Icons are 20 x 20 strokes in the text's colour. They are hidden from screen readers, as each stands beside a label.
function Icon({ children, size = 20 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

type Props = { size?: number };

const of = (paths: ComponentChildren) => (props: Props) => <Icon {...props}>{paths}</Icon>;

export const TrashIcon = of(<path d="M3.5 5.5h13M8 5.5V3.5h4v2m2.8 0-.8 11h-8l-.8-11M8.3 8.5v5m3.4-5v5" />);
export const GiftIcon = of(<path d="M3.5 9.5v7h13v-7M2.8 6.5h14.4v3H2.8v-3ZM10 6.5v10m0-10c-1-3.5-4.5-4-4.5-1.8C5.5 6 8 6.5 10 6.5Zm0 0c1-3.5 4.5-4 4.5-1.8C14.5 6 12 6.5 10 6.5Z" />);
export const HandIcon = of(<path d="M4 12.5h3l3 2.5h4m-10-6 3-2.5h5.5M16 4.5v11" />);
export const SlidersIcon = of(<path d="M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4" />);
export const MapIcon = of(<path d="M7.5 3.5 2.5 5.3v11.2l5-1.8 5 1.8 5-1.8V3.5l-5 1.8-5-1.8Zm0 0v11.2m5-9.4v11.2" />);
export const PeopleIcon = of(<path d="M13.5 16.5v-1.2a3 3 0 0 0-3-3h-5a3 3 0 0 0-3 3v1.2M8 9.2a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Zm9.5 7.3v-1.2a3 3 0 0 0-2.2-2.9M13 3.7a2.8 2.8 0 0 1 0 5.4" />);
export const PullIcon = of(<path d="M16.5 10H6.2m0 0 4-4m-4 4 4 4M3.2 4v12" />);
export const ChartIcon = of(<path d="M3 16.5h14M3.5 13l4-4.5 3.2 3 5.8-7" />);
export const BookIcon = of(<path d="M5 2.8h10.5v14.4H5a1.5 1.5 0 0 1-1.5-1.5V4.3A1.5 1.5 0 0 1 5 2.8Zm2.8 4h4.7m-4.7 3.2h4.7m-9 5.7A1.5 1.5 0 0 1 5 14.2h10.5" />);
export const ShieldIcon = of(<path d="M10 2.8 4 5v4.6c0 3.6 2.5 6.3 6 7.6 3.5-1.3 6-4 6-7.6V5l-6-2.2Z" />);
export const SearchIcon = of(<path d="m17 17-3.9-3.9m1.6-4A5.6 5.6 0 1 1 3.5 9.1a5.6 5.6 0 0 1 11.2 0Z" />);
export const SunIcon = of(<path d="M10 13.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM10 2v1.6m0 12.8V18M4.3 4.3l1.2 1.2m9 9 1.2 1.2M2 10h1.6m12.8 0H18M4.3 15.7l1.2-1.2m9-9 1.2-1.2" />);
export const MoonIcon = of(<path d="M16.8 11.6A7 7 0 0 1 8.4 3.2a7 7 0 1 0 8.4 8.4Z" />);
export const AutoIcon = of(<><circle cx="10" cy="10" r="6.8" /><path d="M10 3.2v13.6a6.8 6.8 0 0 0 0-13.6Z" fill="currentColor" /></>);
export const PlusIcon = of(<path d="M10 4v12M4 10h12" />);
export const MinusIcon = of(<path d="M4 10h12" />);
export const FitIcon = of(<path d="M3.5 7V3.5H7m6 0h3.5V7m0 6v3.5H13m-6 0H3.5V13" />);
export const FollowIcon = of(<><circle cx="10" cy="10" r="5.5" /><path d="M10 2v4m0 8v4M2 10h4m8 0h4" /></>);
export const LayersIcon = of(<path d="m10 3 7 3.7-7 3.7-7-3.7L10 3Zm7 7-7 3.7L3 10m14 3.3L10 17l-7-3.7" />);
export const CloseIcon = of(<path d="m5 5 10 10M15 5 5 15" />);
export const ChevronIcon = of(<path d="m7.5 4.5 5.5 5.5-5.5 5.5" />);
export const MessageIcon = of(<path d="M3 4.5h14v9.2H8.4L5 16.6v-2.9H3V4.5Z" />);
export const JumpIcon = of(<path d="M10 17.2s5.2-4.6 5.2-8.8a5.2 5.2 0 0 0-10.4 0c0 4.2 5.2 8.8 5.2 8.8Zm0-7a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z" />);
export const FreezeIcon = of(<path d="M10 2.5v15M3.5 6.2l13 7.6m0-7.6-13 7.6M7.8 3.6 10 5.4l2.2-1.8m-4.4 12.8 2.2-1.8 2.2 1.8" />);
export const KickIcon = of(<path d="M8 3.5H4.5v13H8M12.5 13.5 16 10m0 0-3.5-3.5M16 10H8" />);
export const BanIcon = of(<><circle cx="10" cy="10" r="7" /><path d="m5.2 5.2 9.6 9.6" /></>);
export const LeaveIcon = of(<path d="M12 3.5h3.5v13H12M7.5 13.5 4 10m0 0 3.5-3.5M4 10h8" />);
export const PanelIcon = of(<path d="M3 4h14v12H3V4Zm9 0v12" />);
export const KeysIcon = of(<path d="M7.6 7.4a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.9m0 2.8v.1" />);
export const MuteIcon = of(<path d="M3.5 4h13v9H9.6L6 16.2V13H3.5Zm3.4 2.2 6.2 4.6m0-4.6-6.2 4.6" />);
export const MegaphoneIcon = of(<path d="M3.5 8v4h2.8l7.7 3.8V4.2L6.3 8Zm3 4.2.9 4.3h2.2l-.8-3.2M16.5 8.4v3.2" />);
export const WarnIcon = of(<path d="M10 3 2.2 16.5h15.6L10 3Zm0 5v4m0 2.3v.1" />);
export const CheckIcon = of(<path d="m4 10.5 4 4 8-9" />);
export const LinkIcon = of(<path d="M8.4 11.6a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1m1.2 3a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1" />);
export const BackIcon = of(<path d="M12.5 4.5 7 10l5.5 5.5" />);
export const PlayIcon = of(<path d="M6 4v12l10-6Z" fill="currentColor" />);
export const PauseIcon = of(<path d="M6.5 4.5v11m7-11v11" stroke-width="2.6" />);
export const StepBackIcon = of(<path d="M14.5 5v10l-7-5ZM5 5v10" />);
export const StepIcon = of(<path d="M5.5 5v10l7-5ZM15 5v10" />);
export const PastIcon = of(<path d="M3.2 10a6.8 6.8 0 1 0 2-4.8L3.4 7M3.2 3.4V7h3.6M10 6.4V10l2.6 1.7" />);
export const HeartIcon = of(<path d="M10 16.5S3 12.6 3 7.8A3.6 3.6 0 0 1 10 6a3.6 3.6 0 0 1 7 1.8c0 4.8-7 8.7-7 8.7Z" />);

export function Logo({ size = 24 }: Props) {
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="logo-plate" width="32" height="32" rx="8" />
      <path class="logo-step" d="M8 23h6v-6h5v-6h5" />
      <circle class="logo-foot" cx="24" cy="11" r="2.6" />
    </svg>
  );
}

// DoorMark draws the shape and colour of a door, as on the map.
export function DoorMark({ kind, size = 12 }: { kind: string; size?: number }) {
  return (
    <svg class={`door-mark door-${kind}`} width={size} height={size} viewBox="-6 -6 12 12" aria-hidden="true" focusable="false">
      {kind === "rs" ? (
        <rect x="-4.4" y="-4.4" width="8.8" height="8.8" rx="1.2" />
      ) : kind === "bedrock" ? (
        <path d="M0-5.8 5.8 0 0 5.8-5.8 0Z" />
      ) : kind === "web" ? (
        <path d="M0-5 5 4.4H-5Z" />
      ) : kind === "other" ? (
        <path d="M5 0 2.5 4.3h-5L-5 0l2.5-4.3h5Z" />
      ) : (
        <circle r={kind === "npc" ? 3.4 : 4.9} />
      )}
    </svg>
  );
}
