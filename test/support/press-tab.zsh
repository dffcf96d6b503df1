# Types lines into a shell that has a terminal, presses Tab after each, and prints what they have become:
#   zsh -f press-tab.zsh <bash|zsh> <file to source first> <line>...
# The file binds Ctrl-T to a function that prints LINE<…>END around the line.
zmodload zsh/zpty
case $1 in
  zsh) zpty terminal zsh -f -i ;;
  bash) zpty terminal bash --norc --noprofile -i ;;
esac
zpty -w terminal "source ${(q)2}"
shift 2
for line in "$@"; do
  # Ctrl-U empties the line
  zpty -w -n terminal $'\025'"$line"$'\t\024'
  zpty -r terminal shown '*LINE<*>END*'
  print -r -- "${${shown##*LINE<}%%>END*}"
done
zpty -d terminal
