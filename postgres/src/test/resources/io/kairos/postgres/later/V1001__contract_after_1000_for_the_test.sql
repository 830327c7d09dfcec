-- Takes something away that builds of before migration 1000 use.
select 1;
