#!/bin/sh
set -eu
file="orders-$(date +%F).dump"
pg_dump --format custom --file "$file" orders
echo "$file"
